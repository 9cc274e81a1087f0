package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/** A message that is not decoded, by its opcode or because it is malformed: a named value to count and forward. */
public final class OtherMessage extends WireMessage {
    OtherMessage(MessageHeader header, ByteBuf bytes) {
        super(header, bytes);
    }

    /** Whether it is an OP_MSG that expects no reply, as far as its flags can be read. */
    public boolean moreToCome() {
        return header().opCode() == OpCode.OP_MSG
                && header().messageLength() >= MessageHeader.SIZE_BYTES + Integer.BYTES
                && (bytes().getIntLE(bodyOffset()) & OpMsg.MORE_TO_COME) != 0;
    }
}
