/** That pages of {@code docs/} say what the program does. */
@NullMarked
package io.scatterguard.tests.docs;

import org.jspecify.annotations.NullMarked;
