package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.net.ServerProbe.Answers;
import io.scatterguard.proxy.net.ServerProbe.Reached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link ServerProbe}: sends its commands one after the other, collects the replies, and closes. */
final class ProbeHandler extends ChannelInboundHandlerAdapter {
    /** Of one reply; those that are asked for have a few kilobytes. */
    private static final int MAX_REPLY_BYTES = 1024 * 1024;

    private final List<BsonDocument> commands;
    private final Duration timeout;
    private final CompletableFuture<Answers> answers = new CompletableFuture<>();
    private final List<BsonDocument> replies = new ArrayList<>();
    private @Nullable ByteBuf collected;
    private @Nullable Future<?> deadline;

    ProbeHandler(List<BsonDocument> commands, Duration timeout) {
        this.commands = List.copyOf(commands);
        this.timeout = timeout;
    }

    CompletableFuture<Answers> answers() {
        return answers;
    }

    /** No connection was made. */
    void unreachable(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        answers.complete(new Answers(Reached.NOTHING, replies, cause.toString()));
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        deadline = ctx.executor()
                .schedule(
                        () -> finish(ctx, Reached.SILENT, "no answer within " + timeout.toMillis() + " ms"),
                        timeout.toMillis(),
                        TimeUnit.MILLISECONDS);
        sendNext(ctx);
    }

    private void sendNext(ChannelHandlerContext ctx) {
        if (replies.size() == commands.size()) {
            finish(ctx, Reached.ANSWERS, "");
            return;
        }
        BsonView body = BsonView.encode(commands.get(replies.size()));
        int length = MessageHeader.SIZE_BYTES + Integer.BYTES + 1 + body.sizeBytes();
        ByteBuf out = ctx.alloc().buffer(length, length);
        new MessageHeader(length, replies.size() + 1, 0, OpCode.OP_MSG.value()).writeTo(out);
        out.writeIntLE(0).writeByte(0);
        body.writeTo(out);
        ctx.writeAndFlush(out, ctx.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ReplyChunk chunk = (ReplyChunk) msg;
        try {
            collect(chunk);
        } finally {
            chunk.bytes().release();
        }
        ByteBuf whole = collected;
        if (whole != null && chunk.last()) {
            collected = null;
            replies.add(document(whole));
            sendNext(ctx);
        }
    }

    private void collect(ReplyChunk chunk) {
        if (chunk.header().messageLength() > MAX_REPLY_BYTES) {
            throw new ProtocolException(
                    "reply: " + chunk.header().messageLength() + " bytes (expected: at most " + MAX_REPLY_BYTES + ")");
        }
        if (collected == null) {
            collected = Unpooled.buffer(chunk.header().messageLength());
        }
        collected.writeBytes(
                chunk.bytes(), chunk.bytes().readerIndex(), chunk.bytes().readableBytes());
    }

    /** Takes {@code whole}. */
    private static BsonDocument document(ByteBuf whole) {
        WireMessage message = WireMessage.decode(whole);
        try {
            if (message instanceof OpMsg reply) {
                return reply.body().toBsonDocument();
            }
            throw new ProtocolException("reply: " + message.header().opCode() + " (expected: OP_MSG)");
        } finally {
            message.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        finish(ctx, Reached.CLOSED, "closed by the server");
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            finish(ctx, Reached.TLS_FAILED, TlsFailures.reason(handshake.cause()));
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** A server of TLS 1.3 turns our certificate down after the handshake has ended well. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable error = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (error instanceof SSLException) {
            finish(ctx, Reached.TLS_FAILED, TlsFailures.reason(error));
            return;
        }
        boolean theirs = error instanceof ProtocolException || error instanceof MalformedBsonException;
        finish(ctx, Reached.CLOSED, theirs ? String.valueOf(error.getMessage()) : error.toString());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (collected != null) {
            collected.release();
            collected = null;
        }
    }

    private void finish(ChannelHandlerContext ctx, Reached reached, String error) {
        if (deadline != null) {
            deadline.cancel(false);
        }
        answers.complete(new Answers(reached, replies, error));
        ctx.close();
    }
}
