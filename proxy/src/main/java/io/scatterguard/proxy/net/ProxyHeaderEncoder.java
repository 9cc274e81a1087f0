package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.StringJoiner;

/** Writes PROXY protocol headers. */
final class ProxyHeaderEncoder {
    private static final int MAX_BYTES = 107;
    private static final byte[] V2_SIGNATURE = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};

    private ProxyHeaderEncoder() {}

    /** The header in version 1, a line of text; owned by the caller. */
    static ByteBuf v1(ByteBufAllocator alloc, ProxyHeader header) {
        ByteBuf out = alloc.buffer(MAX_BYTES, MAX_BYTES);
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        if (source == null || destination == null) {
            ByteBufUtil.writeAscii(out, "PROXY UNKNOWN\r\n");
            return out;
        }
        boolean inet = isInet(source) && isInet(destination);
        String line = new StringJoiner(" ", "PROXY ", "\r\n")
                .add(inet ? "TCP4" : "TCP6")
                .add(inet ? source.getAddress().getHostAddress() : inet6Text(source.getAddress()))
                .add(inet ? destination.getAddress().getHostAddress() : inet6Text(destination.getAddress()))
                .add(String.valueOf(source.getPort()))
                .add(String.valueOf(destination.getPort()))
                .toString();
        ByteBufUtil.writeAscii(out, line);
        return out;
    }

    /** The header in version 2; owned by the caller. */
    static ByteBuf v2(ByteBufAllocator alloc, ProxyHeader header) {
        ByteBuf out = alloc.buffer(MAX_BYTES, MAX_BYTES).writeBytes(V2_SIGNATURE);
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        if (source == null || destination == null) {
            return out.writeByte(0x20).writeByte(0x00).writeShort(0);
        }
        boolean inet = isInet(source) && isInet(destination);
        out.writeByte(0x21).writeByte(inet ? 0x11 : 0x21).writeShort(inet ? 12 : 36);
        out.writeBytes(inet ? source.getAddress().getAddress() : inet6(source.getAddress()));
        out.writeBytes(inet ? destination.getAddress().getAddress() : inet6(destination.getAddress()));
        return out.writeShort(source.getPort()).writeShort(destination.getPort());
    }

    private static boolean isInet(InetSocketAddress address) {
        return address.getAddress().getAddress().length == 4;
    }

    /** The address of 16 bytes: an IPv4 address beside an IPv6 one is mapped (RFC 4291, 2.5.5.2). */
    private static byte[] inet6(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 16) {
            return bytes;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xFF;
        mapped[11] = (byte) 0xFF;
        System.arraycopy(bytes, 0, mapped, 12, 4);
        return mapped;
    }

    /** Written out in full: mongos takes no group of fewer than four digits in a header of version 1. */
    private static String inet6Text(InetAddress address) {
        byte[] bytes = inet6(address);
        StringJoiner groups = new StringJoiner(":");
        for (int i = 0; i < bytes.length; i += 2) {
            groups.add(String.format("%02x%02x", bytes[i], bytes[i + 1]));
        }
        return groups.toString();
    }
}
