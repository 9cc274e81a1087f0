/**
 * Certificates, keys and what is made of them for the two sides and for the driver; reloading when the files change.
 *
 * <p>May use: {@code config}.
 */
@NullMarked
package io.scatterguard.proxy.tls;

import org.jspecify.annotations.NullMarked;
