/**
 * From bytes to messages and back: framing, decoding, encoding.
 *
 * <p>May use: {@code wire}, {@code bson}.
 */
@NullMarked
package io.scatterguard.protocol.codec;

import org.jspecify.annotations.NullMarked;
