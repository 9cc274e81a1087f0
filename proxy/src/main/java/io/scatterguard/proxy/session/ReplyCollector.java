package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.Arrays;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Copies a small reply as it passes, so that its outcome can be read. A reply above {@link #MAX_BYTES} is not copied and
 * its outcome stays unknown.
 */
final class ReplyCollector {
    static final int MAX_BYTES = 16 * 1024;

    private byte[] bytes = new byte[0];
    private int size;

    /** Notes a part of a reply; borrows it. */
    void add(ReplyChunk chunk) {
        if (chunk.first()) {
            size = 0;
            bytes = new byte
                    [chunk.header().messageLength() > MAX_BYTES
                            ? 0
                            : chunk.header().messageLength()];
        }
        ByteBuf part = chunk.bytes();
        int length = Math.min(part.readableBytes(), bytes.length - size);
        part.getBytes(part.readerIndex(), bytes, size, length);
        size += length;
    }

    /** The body of the reply; null if it was too large, compressed, or not one that can be read. */
    @Nullable BsonDocument document() {
        if (size < 16 || size < bytes.length) {
            return null;
        }
        WireMessage message = null;
        try {
            message = WireMessage.decode(Unpooled.wrappedBuffer(Arrays.copyOf(bytes, size)));
            BsonView view = null;
            if (message instanceof OpMsg msg) {
                view = msg.body();
            } else if (message instanceof OpReply reply) {
                view = reply.document();
            }
            return view == null ? null : view.toBsonDocument();
        } catch (RuntimeException e) {
            // An unreadable reply is the client's to judge; it is forwarded as it is.
            return null;
        } finally {
            if (message != null) {
                message.release();
            }
        }
    }
}
