package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.codec.MongosHello;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import org.jspecify.annotations.Nullable;

/**
 * Hands replies on to the client. Where the listener is in front of a replica set, makes its members look like a mongos:
 * collects the replies to {@code hello} and rewrites them. That of a member which is not the primary ends the session,
 * because a driver would keep to it.
 */
final class MongosPresentation {
    /** The largest reply to {@code hello} that is collected, and the largest that is inflated, in bytes. */
    static final int MAX_BYTES = 64 * 1024;

    private final boolean active;
    private final MessageCompression compression;
    private final ByteBufAllocator alloc;
    private final Peer client;
    private @Nullable ByteBuf collected;

    MongosPresentation(SessionContext context, Peer client) {
        this.active = context.traits().asMongos();
        this.compression = context.compression();
        this.alloc = context.allocator();
        this.client = client;
    }

    /**
     * Hands a part of the reply to {@code request} on to the client, as it came unless it is to be rewritten; takes its bytes.
     *
     * @throws ClosingException if it cannot be rewritten, or shows that the server is not the primary
     */
    void pass(InFlightRequest request, ReplyChunk chunk) {
        if (request.isOurs()) {
            chunk.bytes().release();
        } else if (active && request.isHello()) {
            ByteBuf presented = add(chunk);
            if (presented != null) {
                client.write(presented);
            }
        } else {
            client.write(chunk.bytes());
        }
    }

    /** Takes a part of a reply to {@code hello}; returns owned what the client gets, null while the reply is not whole. */
    private @Nullable ByteBuf add(ReplyChunk chunk) {
        try {
            int length = chunk.header().messageLength();
            if (length > MAX_BYTES) {
                throw new ProtocolException(
                        "reply to hello: " + length + " bytes (expected: at most " + MAX_BYTES + ")");
            }
            if (chunk.first() && chunk.last()) {
                return presented(chunk.bytes());
            }
            ByteBuf whole = collected == null ? alloc.buffer(length, length) : collected;
            collected = whole;
            whole.writeBytes(
                    chunk.bytes(), chunk.bytes().readerIndex(), chunk.bytes().readableBytes());
            return chunk.last() ? presented(whole) : null;
        } catch (ProtocolException e) {
            throw new ClosingException(CloseCause.SERVER_PROTOCOL_ERROR, String.valueOf(e.getMessage()));
        } finally {
            chunk.bytes().release();
            if (chunk.last()) {
                release();
            }
        }
    }

    /** Borrows one whole reply; returns owned, and the reply itself where there is nothing to change. */
    private ByteBuf presented(ByteBuf reply) {
        ByteBuf changed = MessageHeader.read(reply, reply.readerIndex()).opCode() == OpCode.OP_COMPRESSED
                ? compressed(reply)
                : rewritten(reply);
        return changed == null ? reply.retain() : changed;
    }

    private @Nullable ByteBuf compressed(ByteBuf reply) {
        WireMessage message = WireMessage.decode(reply.retainedSlice());
        ByteBuf inflated = null;
        ByteBuf plain = null;
        try {
            OpCompressed compressed = (OpCompressed) message;
            inflated = compression.inflate(alloc, compressed, MAX_BYTES);
            plain = rewritten(inflated);
            return plain == null ? null : compression.deflate(alloc, plain, compressed.compressorId());
        } finally {
            ReferenceCountUtil.release(plain);
            ReferenceCountUtil.release(inflated);
            message.release();
        }
    }

    /** Borrows {@code reply}; returns owned, null where there is nothing to change. */
    private @Nullable ByteBuf rewritten(ByteBuf reply) {
        MongosHello hello = MongosHello.read(reply);
        return switch (hello.verdict()) {
            case WRITABLE -> hello.asMongos(alloc);
            case ERROR -> null;
            case NOT_WRITABLE ->
                throw new ClosingException(
                        CloseCause.PRIMARY_CHANGED, "the server says in hello that it is not the primary");
        };
    }

    /** Drops what has been collected. */
    void release() {
        if (collected != null) {
            collected.release();
            collected = null;
        }
    }
}
