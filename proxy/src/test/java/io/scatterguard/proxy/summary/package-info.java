@NullMarked
package io.scatterguard.proxy.summary;

import org.jspecify.annotations.NullMarked;
