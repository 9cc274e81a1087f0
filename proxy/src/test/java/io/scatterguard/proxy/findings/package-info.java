@NullMarked
package io.scatterguard.proxy.findings;

import org.jspecify.annotations.NullMarked;
