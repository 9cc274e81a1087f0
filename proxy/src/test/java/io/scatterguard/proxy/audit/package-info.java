@NullMarked
package io.scatterguard.proxy.audit;

import org.jspecify.annotations.NullMarked;
