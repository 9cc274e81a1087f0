package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans a compressed request by what is inside it: it is planned as if that had come, forwarded as it came, and whatever
 * we write ourselves, to either side, is compressed like it.
 */
final class CompressedRequest {
    private final SessionContext context;

    CompressedRequest(SessionContext context) {
        this.context = context;
    }

    /**
     * The plan for {@code message}, which is borrowed; null if {@code planner} has none yet. What was inside is released
     * before this returns: while a request is held it takes the room it came with, and is inflated again afterwards.
     *
     * @param maxMessageBytes the largest message that may be inside
     * @param planner plans what is inside, which it borrows
     * @throws ProtocolException if it cannot be decompressed, or what is inside breaks the protocol
     */
    @Nullable RequestPlan plan(OpCompressed message, int maxMessageBytes, Function<WireMessage, @Nullable RequestPlan> planner) {
        WireMessage content =
                WireMessage.decode(context.compression().inflate(context.allocator(), message, maxMessageBytes));
        try {
            RequestPlan plan = planner.apply(content);
            return plan == null ? null : asItCame(message, content, plan);
        } finally {
            content.release();
        }
    }

    @SuppressWarnings("ReferenceEquality") // What is not changed is the very buffer that was inflated.
    private RequestPlan asItCame(OpCompressed message, WireMessage content, RequestPlan plan) {
        InFlightRequest request = plan.request();
        request.cameAs(message.header().messageLength());
        if (request.isLocal()) {
            ByteBuf reply = request.takeLocalReply();
            request.answeredBy(compressed(reply, message.compressorId()), request.localFacts());
        }
        ByteBuf forwarded = plan.forwarded();
        if (forwarded == null) {
            return plan;
        }
        if (forwarded == content.bytes()) {
            forwarded.release();
            return new RequestPlan(request, message.bytes().retain());
        }
        return new RequestPlan(request, compressed(forwarded, message.compressorId()));
    }

    /**
     * Takes {@code bytes}; returns owned. A fault of ours leaves them as they are, which either side accepts.
     */
    private ByteBuf compressed(ByteBuf bytes, int compressorId) {
        try {
            ByteBuf compressed = context.compression().deflate(context.allocator(), bytes, compressorId);
            bytes.release();
            return compressed;
        } catch (RuntimeException | LinkageError e) {
            context.counters().internalError();
            context.judge().failed(e, OpCode.OP_COMPRESSED.name(), "forwarded");
            return bytes;
        }
    }
}
