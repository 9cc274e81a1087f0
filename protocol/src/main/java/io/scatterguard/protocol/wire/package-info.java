/**
 * The wire protocol's messages: header, opcodes and the typed views of each message.
 *
 * <p>May use: {@code bson}.
 */
@NullMarked
package io.scatterguard.protocol.wire;

import org.jspecify.annotations.NullMarked;
