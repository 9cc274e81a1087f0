/** What real clients and a real mongos said to each other, decoded and played through the proxy. */
@NullMarked
package io.scatterguard.tests.captures;

import org.jspecify.annotations.NullMarked;
