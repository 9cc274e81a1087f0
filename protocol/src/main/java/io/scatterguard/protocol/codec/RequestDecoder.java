package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.function.IntSupplier;

/**
 * Frames what a client sends and fires one {@link WireMessage} a message. A message that arrives in one read is a slice of
 * it; one that arrives in parts is put together by {@link FrameAssembly}.
 *
 * <p>After a framing error the decoder is poisoned: it fires the {@link ProtocolException} once and drops everything that
 * follows.
 */
public final class RequestDecoder extends FrameDecoder {
    private final IntSupplier maxMessageBytes;
    private final FrameAssembly assembly = new FrameAssembly();

    /**
     * @param maxMessageBytes the largest {@code messageLength} accepted, asked for every message: the server's {@code
     *     hello} may change it
     */
    public RequestDecoder(IntSupplier maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    @Override
    void decodeNext(ChannelHandlerContext ctx, ByteBuf in) {
        if (assembly.isEmpty() && in.readableBytes() >= MessageHeader.SIZE_BYTES) {
            MessageHeader header = MessageHeader.read(in, in.readerIndex()).requireLength(maxMessageBytes.getAsInt());
            if (in.readableBytes() >= header.messageLength()) {
                ctx.fireChannelRead(WireMessage.decode(in.readRetainedSlice(header.messageLength())));
                return;
            }
        }
        ByteBuf whole = assembly.add(ctx.alloc(), in, maxMessageBytes.getAsInt());
        if (whole != null) {
            ctx.fireChannelRead(WireMessage.decode(whole));
        }
    }

    /** Whether a message has begun that has not ended. */
    public boolean isMidMessage() {
        return !assembly.isEmpty();
    }

    @Override
    void releasePart() {
        assembly.release();
    }
}
