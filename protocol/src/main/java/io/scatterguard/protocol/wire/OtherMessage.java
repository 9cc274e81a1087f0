package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/** A message of an opcode that is not decoded: a named value to count and forward. */
public final class OtherMessage extends WireMessage {
    OtherMessage(MessageHeader header, ByteBuf bytes) {
        super(header, bytes);
    }
}
