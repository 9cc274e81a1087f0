package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;

/**
 * A part of a reply on its way through. Whoever receives it takes {@code bytes}.
 *
 * @param header the reply's header
 * @param flagBits the flag bits of an OP_MSG, 0 for any other opcode
 * @param bytes the part, the header included in the first one; owned by the receiver
 * @param first whether this part begins the reply
 * @param last whether this part ends the reply
 */
public record ReplyChunk(MessageHeader header, int flagBits, ByteBuf bytes, boolean first, boolean last) {
    /** Whether another reply to the same request follows. */
    public boolean moreToCome() {
        return header.opCode() == OpCode.OP_MSG && (flagBits & OpMsg.MORE_TO_COME) != 0;
    }

    @Override
    public String toString() {
        return "ReplyChunk[" + header + ", first=" + first + ", last=" + last + "]";
    }
}
