@NullMarked
package io.scatterguard.proxy.records;

import org.jspecify.annotations.NullMarked;
