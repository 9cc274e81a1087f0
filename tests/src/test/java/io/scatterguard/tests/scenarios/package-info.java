/**
 * What real proxies and drivers got wrong, one test class a scenario, named after its number ({@code S01…}). Each says in
 * its Javadoc where the scenario comes from.
 */
@NullMarked
package io.scatterguard.tests.scenarios;

import org.jspecify.annotations.NullMarked;
