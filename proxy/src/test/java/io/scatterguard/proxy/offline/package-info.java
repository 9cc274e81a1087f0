@NullMarked
package io.scatterguard.proxy.offline;

import org.jspecify.annotations.NullMarked;
