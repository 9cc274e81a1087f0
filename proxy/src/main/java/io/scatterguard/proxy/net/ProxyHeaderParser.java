package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import io.scatterguard.protocol.wire.ProtocolException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header that begins a connection through a load balancer, PROXY protocol version 1 or 2. What follows the
 * addresses of a version 2 header (its TLVs) is skipped unread.
 *
 * <p>Written here because a library's decoder keeps up to 64 KiB that a length field asks for and builds every TLV,
 * which nobody reads. Tests compare it with that decoder.
 */
final class ProxyHeaderParser {
    /** Of a whole header of version 2; the specification's own recommendation for receivers is 536. */
    static final int MAX_V2_BYTES = 4096;

    /** Of a whole line of version 1, its CR LF included: section 2.1 of the specification. */
    static final int MAX_V1_BYTES = 107;

    private static final byte[] V1_SIGNATURE = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] V2_SIGNATURE = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};
    private static final int V2_FIXED_BYTES = 16;
    private static final int V2_INET_BYTES = 12;
    private static final int V2_INET6_BYTES = 36;
    private static final int V2_UNIX_BYTES = 216;
    private static final int MAX_PORT = 65_535;

    /** How a connection begins. A message of MongoDB cannot begin as either version: its length would be too large. */
    enum Start {
        /** Too few bytes so far. */
        UNDECIDED,
        NO_HEADER,
        V1,
        V2
    }

    private ProxyHeaderParser() {}

    /** What the readable bytes begin with; borrows them. */
    static Start start(ByteBuf in) {
        if (begins(in, V2_SIGNATURE)) {
            return in.readableBytes() < V2_SIGNATURE.length ? Start.UNDECIDED : Start.V2;
        }
        if (begins(in, V1_SIGNATURE)) {
            return in.readableBytes() < V1_SIGNATURE.length ? Start.UNDECIDED : Start.V1;
        }
        return Start.NO_HEADER;
    }

    private static boolean begins(ByteBuf in, byte[] signature) {
        int length = Math.min(in.readableBytes(), signature.length);
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readerIndex() + i) != signature[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads one header and leaves {@code in} behind it; null, with nothing read, while it is incomplete. Borrows {@code
     * in}.
     *
     * @throws ProtocolException if it is malformed, or longer than is accepted; as soon as that shows
     */
    static @Nullable ProxyHeader read(ByteBuf in) {
        return switch (start(in)) {
            case UNDECIDED -> null;
            case NO_HEADER -> throw new ProtocolException("PROXY header: another beginning (expected: version 1 or 2)");
            case V1 -> readV1(in);
            case V2 -> readV2(in);
        };
    }

    private static @Nullable ProxyHeader readV2(ByteBuf in) {
        int at = in.readerIndex();
        if (in.readableBytes() < V2_FIXED_BYTES) {
            return null;
        }
        int versionAndCommand = in.getUnsignedByte(at + 12);
        if (versionAndCommand != 0x20 && versionAndCommand != 0x21) {
            throw malformed("version and command", hex(versionAndCommand), "0x20 or 0x21");
        }
        int length = in.getUnsignedShort(at + 14);
        if (length > MAX_V2_BYTES - V2_FIXED_BYTES) {
            throw malformed("length", String.valueOf(length), "0.." + (MAX_V2_BYTES - V2_FIXED_BYTES));
        }
        int family = in.getUnsignedByte(at + 13);
        int addressBytes = versionAndCommand == 0x20 ? 0 : addressBytes(family);
        if (length < addressBytes) {
            throw malformed(
                    "length", String.valueOf(length), "at least " + addressBytes + " for family " + hex(family));
        }
        if (in.readableBytes() < V2_FIXED_BYTES + length) {
            return null;
        }
        in.skipBytes(V2_FIXED_BYTES + length);
        return switch (addressBytes) {
            case V2_INET_BYTES -> addresses(in, at + V2_FIXED_BYTES, 4);
            case V2_INET6_BYTES -> addresses(in, at + V2_FIXED_BYTES, 16);
            default -> ProxyHeader.WITHOUT_ADDRESSES;
        };
    }

    /** How many bytes of addresses a family has: 0 where it says nothing. */
    private static int addressBytes(int family) {
        return switch (family) {
            // Family or transport "unspecified": whatever follows is to be ignored.
            case 0x00, 0x01, 0x02, 0x10, 0x20, 0x30 -> 0;
            case 0x11 -> V2_INET_BYTES;
            case 0x21 -> V2_INET6_BYTES;
            case 0x31 -> V2_UNIX_BYTES;
            default -> throw malformed("family and transport", hex(family), "0x00, 0x11, 0x21 or 0x31");
        };
    }

    private static ProxyHeader addresses(ByteBuf in, int at, int size) {
        byte[] source = new byte[size];
        byte[] destination = new byte[size];
        in.getBytes(at, source).getBytes(at + size, destination);
        int ports = at + 2 * size;
        return new ProxyHeader(
                address(source, in.getUnsignedShort(ports)), address(destination, in.getUnsignedShort(ports + 2)));
    }

    private static @Nullable ProxyHeader readV1(ByteBuf in) {
        int at = in.readerIndex();
        int last = at + Math.min(in.readableBytes(), MAX_V1_BYTES) - 1;
        int end = at;
        while (end < last && !(in.getByte(end) == '\r' && in.getByte(end + 1) == '\n')) {
            end++;
        }
        if (end >= last) {
            if (in.readableBytes() >= MAX_V1_BYTES) {
                throw malformed("line", "no CR LF in " + MAX_V1_BYTES + " bytes", "a line that ends");
            }
            return null;
        }
        String line = in.toString(at, end - at, StandardCharsets.US_ASCII);
        in.readerIndex(end + 2);
        return v1(List.of(line.split(" ", -1)));
    }

    private static ProxyHeader v1(List<String> words) {
        String family = words.get(1);
        if (family.equals("UNKNOWN")) {
            return ProxyHeader.WITHOUT_ADDRESSES;
        }
        boolean inet = family.equals("TCP4");
        if ((!inet && !family.equals("TCP6")) || words.size() != 6) {
            throw malformed(
                    "line", words.size() + " words", "PROXY TCP4|TCP6 source destination port port, or UNKNOWN");
        }
        int size = inet ? 4 : 16;
        return new ProxyHeader(
                address(bytes(words.get(2), size), port(words.get(4))),
                address(bytes(words.get(3), size), port(words.get(5))));
    }

    private static byte[] bytes(String text, int size) {
        boolean plain = text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0);
        byte[] bytes = plain ? NetUtil.createByteArrayFromIpAddressString(text) : null;
        if (bytes == null || bytes.length != size) {
            throw malformed("address", "not one", size == 4 ? "an IPv4 address" : "an IPv6 address");
        }
        return bytes;
    }

    private static int port(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = digits ? Integer.parseInt(text) : -1;
        if (port < 0 || port > MAX_PORT) {
            throw malformed("port", "not one", "0.." + MAX_PORT);
        }
        return port;
    }

    private static InetSocketAddress address(byte[] bytes, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(bytes.length + " bytes (expected: 4 or 16)", e);
        }
    }

    private static String hex(int value) {
        return String.format("0x%02x", value);
    }

    private static ProtocolException malformed(String what, String found, String expected) {
        return new ProtocolException("PROXY header, " + what + ": " + found + " (expected: " + expected + ")");
    }
}
