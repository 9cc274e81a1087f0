package io.scatterguard.tests.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.List;

/**
 * Commands of one length, each of which {@link #next()} lets arrive: it is copied into the buffer that the message reads, a
 * slice of a direct one as the proxy's framing makes them. So a command's bytes are as near to the processor as those of one
 * that was just read from a socket; the copy is part of what is measured.
 */
final class Commands {
    private final byte[] all;
    private final int length;
    private final ByteBuf buffer;
    private final OpMsg message;
    private int next;

    Commands(ByteBufAllocator allocator, Operation operation, List<OrderKey> keys, Orders orders) {
        byte[] first = operation.message(keys.get(0), orders).encode();
        length = first.length;
        all = new byte[Math.multiplyExact(length, keys.size())];
        for (OrderKey key : keys) {
            byte[] encoded = operation.message(key, orders).encode();
            if (encoded.length != length) {
                throw new IllegalStateException(operation + ": a command of " + encoded.length + " bytes (expected: "
                        + length + ", as the first)");
            }
            System.arraycopy(encoded, 0, all, next, length);
            next += length;
        }
        next = 0;
        ByteBuf read = allocator.directBuffer(length).writeBytes(first);
        buffer = read.readRetainedSlice(length);
        read.release();
        message = (OpMsg) WireMessage.decode(buffer);
    }

    /** The next command, after the last the first; it dies with the call after this one. */
    OpMsg next() {
        buffer.setBytes(0, all, next, length);
        next = next + length == all.length ? 0 : next + length;
        return message;
    }
}
