@NullMarked
package io.scatterguard.proxy.cli;

import org.jspecify.annotations.NullMarked;
