/** Tests of what the command line is made of; whole runs of it are in the end-to-end tests. */
@NullMarked
package io.scatterguard.proxy.sources;

import org.jspecify.annotations.NullMarked;
