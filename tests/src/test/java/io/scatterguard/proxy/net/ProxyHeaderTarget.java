package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.session.CloseCause;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The PROXY header of a connection, for the fuzzing of {@code tests.fuzz.wire}; it stands here because the parser is nobody
 * else's. A header in parts is read as in one piece, what follows it arrives untouched, a header written anew says the same.
 *
 * <p>Input: a byte (1: the peer is not listed, 2: a header is required, the rest: the length of the parts less one) and what
 * the peer sends.
 */
public final class ProxyHeaderTarget {
    private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.9", 40_000);

    /** What a connection may hold of a header that is not whole: all of it, and the growth of its buffer. */
    private static final int MOST_HELD_BYTES = 4 * ProxyHeaderParser.MAX_V2_BYTES;

    private ProxyHeaderTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 1) {
            return;
        }
        boolean listed = (input[0] & 1) == 0;
        boolean required = (input[0] & 2) != 0;
        int length = ((input[0] & 0xff) >> 2) + 1;
        byte[] sent = Arrays.copyOfRange(input, 1, input.length);
        String whole = outcome(sent, Math.max(1, sent.length), listed, required);
        String inParts = outcome(sent, length, listed, required);
        require(whole.equals(inParts), "the same in one piece and in parts: " + whole, inParts);
        readsWhatItWrites(sent);
    }

    /** What a connection comes to: who the client is and what goes on to the session, or why it ends. */
    private static String outcome(byte[] sent, int length, boolean listed, boolean required) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(allocator);
        List<String> events = new ArrayList<>();
        ProxyHeaders headers = new ProxyHeaders(
                List.of(new IpSubnetFilterRule(listed ? "10.0.0.0" : "10.1.0.0", 24, IpFilterRuleType.ACCEPT)),
                required);
        channel.pipeline()
                .addLast(new ProxyHeaderHandler(
                        headers,
                        PEER,
                        new ProxyHeaderHandler.Events(
                                () -> events.add("opened"),
                                (CloseCause cause, String error) -> events.add(cause.text()))));
        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        for (int at = 0; at < sent.length && channel.isOpen(); at += length) {
            int end = Math.min(sent.length, at + length);
            channel.writeInbound(allocator.heapBuffer().writeBytes(sent, at, end - at));
            take(channel, passed);
            long held = allocator.metric().usedHeapMemory();
            require(held <= MOST_HELD_BYTES + 2L * sent.length, "bounded memory", held);
        }
        String address = channel.attr(ClientAddress.KEY).get() + ">"
                + channel.attr(ClientAddress.DESTINATION).get();
        require(events.size() <= 1, "one event", events);
        require(!events.contains(CloseCause.INTERNAL_ERROR.text()), "no fault of our own", events);
        boolean opened = events.contains("opened");
        require(opened || passed.size() == 0, "nothing before it is opened", passed.size());
        channel.finishAndReleaseAll();
        require(allocator.metric().usedHeapMemory() == 0, "no buffer is left", allocator.metric());
        return events + " " + address + " " + HexFormat.of().formatHex(passed.toByteArray());
    }

    private static void take(EmbeddedChannel channel, ByteArrayOutputStream passed) {
        for (ByteBuf next = channel.readInbound(); next != null; next = channel.readInbound()) {
            passed.writeBytes(ByteBufUtil.getBytes(next));
            next.release();
        }
    }

    private static void readsWhatItWrites(byte[] sent) {
        ByteBuf in = Unpooled.wrappedBuffer(sent);
        ProxyHeader header = read(in);
        if (header == null) {
            return;
        }
        require(in.readerIndex() <= ProxyHeaderParser.MAX_V2_BYTES, "a bounded header", in.readerIndex());
        UnpooledByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
        for (ByteBuf written :
                List.of(ProxyHeaderEncoder.v1(allocator, header), ProxyHeaderEncoder.v2(allocator, header))) {
            try {
                ProxyHeader again = ProxyHeaderParser.read(written);
                require(header.equals(again) && !written.isReadable(), "the same again: " + header, again);
            } finally {
                written.release();
            }
        }
    }

    private static @Nullable ProxyHeader read(ByteBuf in) {
        try {
            return ProxyHeaderParser.read(in);
        } catch (ProtocolException e) {
            return null;
        }
    }

    private static void require(boolean holds, String what, Object actual) {
        if (!holds) {
            throw new AssertionError("expected: " + what + ", but was: " + actual);
        }
    }

    /** Headers of both versions, each with a message behind it. */
    public static List<byte[]> seeds() {
        String signature = "0d0a0d0a000d0a515549540a";
        String message = "1000000001000000000000" + "00dd070000";
        List<byte[]> seeds = new ArrayList<>();
        for (String line : List.of(
                "PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017",
                "PROXY TCP6 2001:db8::7 2001:db8::5 51234 27017",
                "PROXY TCP6 ::ffff:203.0.113.7 ::ffff:10.0.0.5 1 65535",
                "PROXY UNKNOWN",
                "PROXY UNKNOWN ff:: 1.2.3.4 a b")) {
            seeds.add(seed(HexFormat.of().formatHex(line.getBytes(StandardCharsets.US_ASCII)) + "0d0a" + message));
        }
        String inet = "cb007107" + "0a000005" + "c8226989";
        String inet6 = "20010db8000000000000000000000007" + "20010db8000000000000000000000005" + "c8226989";
        seeds.add(seed(signature + "2111000c" + inet + message));
        seeds.add(seed(signature + "21110014" + inet + "0400050102030405" + message));
        seeds.add(seed(signature + "21210024" + inet6 + message));
        seeds.add(seed(signature + "213100d8" + "61".repeat(216) + message));
        seeds.add(seed(signature + "20000000" + message));
        seeds.add(seed(signature + "2111ffff" + inet));
        seeds.add(seed(message));
        for (byte[] seed : List.copyOf(seeds)) {
            for (int mode : new int[] {1, 2, 3, 0x24}) {
                byte[] other = seed.clone();
                other[0] = (byte) mode;
                seeds.add(other);
            }
        }
        return seeds;
    }

    private static byte[] seed(String hex) {
        return HexFormat.of().parseHex("00" + hex);
    }
}
