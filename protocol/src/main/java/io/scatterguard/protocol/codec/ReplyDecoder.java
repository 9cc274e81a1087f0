package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * Frames what a server sends without collecting it: only the header (and the flag bits of an OP_MSG) is waited for, then
 * every read is passed on at once as a {@link ReplyChunk}.
 *
 * <p>After a framing error the decoder is poisoned: it fires the {@link ProtocolException} once and drops everything that
 * follows.
 */
public final class ReplyDecoder extends FrameDecoder {
    private static final int HEAD_BYTES = MessageHeader.SIZE_BYTES + 4;
    /** A server's replies may exceed the limit of requests by a header and a cursor's frame; this is beyond any. */
    private static final int MAX_REPLY_BYTES = 64 * 1024 * 1024;

    private @Nullable ByteBuf head;
    private @Nullable MessageHeader header;
    private int flagBits;
    private int left;

    @Override
    void decodeNext(ChannelHandlerContext ctx, ByteBuf in) {
        if (header != null) {
            fireChunk(ctx, header, in.readRetainedSlice(Math.min(left, in.readableBytes())), false);
        } else if (head == null && in.readableBytes() >= HEAD_BYTES) {
            MessageHeader found = begin(in, in.readerIndex());
            fireChunk(ctx, found, in.readRetainedSlice(Math.min(left, in.readableBytes())), true);
        } else {
            collectHead(ctx, in);
        }
    }

    /** The rare case of a header that arrives in parts, or of a reply shorter than header and flag bits. */
    private void collectHead(ChannelHandlerContext ctx, ByteBuf in) {
        if (head == null) {
            head = ctx.alloc().buffer(HEAD_BYTES);
        }
        while (in.isReadable() && head.readableBytes() < neededHead(head)) {
            head.writeByte(in.readByte());
        }
        if (head.readableBytes() == neededHead(head)) {
            ByteBuf bytes = head;
            MessageHeader found = begin(bytes, 0);
            head = null;
            fireChunk(ctx, found, bytes, true);
        }
    }

    private static int neededHead(ByteBuf head) {
        if (head.readableBytes() < MessageHeader.SIZE_BYTES) {
            return HEAD_BYTES;
        }
        int length = MessageHeader.read(head, 0).requireLength(MAX_REPLY_BYTES).messageLength();
        return Math.min(length, HEAD_BYTES);
    }

    private MessageHeader begin(ByteBuf bytes, int at) {
        MessageHeader found = MessageHeader.read(bytes, at).requireLength(MAX_REPLY_BYTES);
        boolean flagged = found.opCode() == OpCode.OP_MSG && found.messageLength() >= HEAD_BYTES;
        header = found;
        flagBits = flagged ? bytes.getIntLE(at + MessageHeader.SIZE_BYTES) : 0;
        left = found.messageLength();
        return found;
    }

    private void fireChunk(ChannelHandlerContext ctx, MessageHeader of, ByteBuf bytes, boolean first) {
        left -= bytes.readableBytes();
        boolean last = left == 0;
        if (last) {
            header = null;
        }
        ctx.fireChannelRead(new ReplyChunk(of, flagBits, bytes, first, last));
    }

    @Override
    void releasePart() {
        if (head != null) {
            head.release();
            head = null;
        }
    }
}
