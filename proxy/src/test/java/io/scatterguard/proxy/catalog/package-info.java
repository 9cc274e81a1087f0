/** Tests of the catalog. */
@NullMarked
package io.scatterguard.proxy.catalog;

import org.jspecify.annotations.NullMarked;
