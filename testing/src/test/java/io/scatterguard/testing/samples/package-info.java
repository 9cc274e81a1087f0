/** Test classes as applications have them, some with a planted broadcast. Run by tests of the extension, never by themselves. */
@NullMarked
package io.scatterguard.testing.samples;

import org.jspecify.annotations.NullMarked;
