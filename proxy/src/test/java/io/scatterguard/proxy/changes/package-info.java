@NullMarked
package io.scatterguard.proxy.changes;

import org.jspecify.annotations.NullMarked;
