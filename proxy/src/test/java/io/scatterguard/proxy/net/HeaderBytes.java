package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** PROXY headers written out by hand, after the examples of the specification. */
final class HeaderBytes {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    static final byte[] V1_TCP4 = v1("PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017\r\n");
    static final byte[] V1_TCP6 = v1("PROXY TCP6 2001:db8::7 2001:db8::5 51234 27017\r\n");
    static final byte[] V1_UNKNOWN = v1("PROXY UNKNOWN\r\n");
    static final byte[] V2_TCP4 = v2("21", "11", "cb007107" + "0a000005" + "c822" + "6989");
    static final byte[] V2_TCP6 =
            v2("21", "21", "20010db8000000000000000000000007" + "20010db8000000000000000000000005" + "c822" + "6989");
    static final byte[] V2_LOCAL = v2("20", "00", "");

    private HeaderBytes() {}

    static byte[] v1(String line) {
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /** With the length that {@code rest} has; all in hexadecimal. */
    static byte[] v2(String versionAndCommand, String family, String rest) {
        return v2(versionAndCommand, family, rest.length() / 2, rest);
    }

    static byte[] v2(String versionAndCommand, String family, int length, String rest) {
        return HexFormat.of().parseHex(SIGNATURE + versionAndCommand + family + String.format("%04x", length) + rest);
    }

    static ByteBuf buffer(byte[]... parts) {
        return Unpooled.copiedBuffer(parts);
    }
}
