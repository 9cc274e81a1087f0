/** Checks of declared rules, with the facts of a database made up. */
@NullMarked
package io.scatterguard.proxy.validation;

import org.jspecify.annotations.NullMarked;
