/** Tests of the extension, which run the {@code samples}, and of the container's configuration. */
@NullMarked
package io.scatterguard.testing;

import org.jspecify.annotations.NullMarked;
