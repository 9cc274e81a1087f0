package io.scatterguard.tests.fuzz.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.codec.ReplyDecoder;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * What the proxy's framing makes of a stream that arrives in parts. Every buffer is counted: none may be left, and what is
 * held at any time may not exceed twice what has arrived, and a bit.
 */
public final class Framing implements AutoCloseable {
    /** A buffer for a header, and the step in which small buffers grow. */
    private static final int SLACK_BYTES = 256;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final EmbeddedChannel channel;
    private final List<Message> messages = new ArrayList<>();
    private final ByteArrayOutputStream reply = new ByteArrayOutputStream();
    private String error = "";
    private boolean direct;

    /**
     * A message as it came out.
     *
     * @param text all that it says; of a reply, the flag bits
     * @param bytes in base64
     */
    public record Message(MessageHeader header, String text, String commandName, String bytes) {}

    /**
     * The messages that came out, and the error that ended it.
     *
     * @param error empty if there was none
     * @param partial in base64, what has come of a reply that is not whole
     */
    public record Outcome(List<Message> messages, String error, String partial) {
        public Outcome {
            messages = List.copyOf(messages);
        }
    }

    private Framing(ChannelHandler decoder) {
        channel = new EmbeddedChannel();
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(decoder);
    }

    /** What a client's connection makes of {@code parts}, with this limit for one message. */
    public static Outcome ofRequests(List<byte[]> parts, int maxMessageBytes) {
        try (Framing framing = new Framing(new RequestDecoder(() -> maxMessageBytes))) {
            return framing.feed(parts);
        }
    }

    /** What a server's connection makes of {@code parts}. */
    public static Outcome ofReplies(List<byte[]> parts) {
        try (Framing framing = new Framing(new ReplyDecoder())) {
            return framing.feed(parts);
        }
    }

    private Outcome feed(List<byte[]> parts) {
        long arrived = 0;
        for (byte[] part : parts) {
            arrived += part.length;
            try {
                channel.writeInbound(buffer(part));
            } catch (ProtocolException | MalformedBsonException e) {
                require(error.isEmpty(), "one error only", e.getMessage());
                error = e.getClass().getSimpleName() + ": " + e.getMessage();
            }
            takeAll();
            require(held() <= 2 * arrived + SLACK_BYTES, "at most twice of " + arrived + " bytes held", held());
        }
        return new Outcome(messages, error, base64(reply.toByteArray()));
    }

    /** In turns on and off the heap, and never at the start of its buffer. */
    private ByteBuf buffer(byte[] part) {
        direct = !direct;
        ByteBuf buffer = direct ? allocator.directBuffer(part.length + 3) : allocator.heapBuffer(part.length + 3);
        return buffer.writeZero(3).skipBytes(3).writeBytes(part);
    }

    private void takeAll() {
        for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
            if (next instanceof WireMessage message) {
                take(message);
            } else {
                take((ReplyChunk) next);
            }
        }
    }

    private void take(WireMessage message) {
        try {
            byte[] bytes = ByteBufUtil.getBytes(message.bytes());
            require(bytes.length == message.header().messageLength(), "all bytes of " + message, bytes.length);
            messages.add(new Message(
                    message.header(), MessageText.of(message), MessageText.commandName(message), base64(bytes)));
        } finally {
            message.release();
        }
        require(message.refCnt() == 0, "nobody else keeps a message", message.refCnt());
    }

    private void take(ReplyChunk chunk) {
        byte[] bytes = ByteBufUtil.getBytes(chunk.bytes());
        chunk.bytes().release();
        require(bytes.length > 0, "a chunk has bytes", chunk);
        require(chunk.first() == (reply.size() == 0), "the first chunk of a reply is marked", chunk);
        reply.writeBytes(bytes);
        require(chunk.last() == (reply.size() == chunk.header().messageLength()), "so is the last", chunk);
        if (chunk.last()) {
            messages.add(new Message(chunk.header(), "flagBits=" + chunk.flagBits(), "", base64(reply.toByteArray())));
            reply.reset();
        }
    }

    private long held() {
        return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static void require(boolean holds, String what, Object actual) {
        if (!holds) {
            throw new AssertionError("expected: " + what + ", but was: " + actual);
        }
    }

    /** Ends the connection. */
    @Override
    public void close() {
        channel.finishAndReleaseAll();
        require(held() == 0, "no buffer is left", held() + " bytes");
    }
}
