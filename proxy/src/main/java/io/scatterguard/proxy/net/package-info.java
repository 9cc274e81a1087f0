/**
 * Channel initializers and thin handlers: Netty events become events of the session.
 *
 * <p>May use: {@code codec}, {@code session}, {@code config}.
 */
@NullMarked
package io.scatterguard.proxy.net;

import org.jspecify.annotations.NullMarked;
