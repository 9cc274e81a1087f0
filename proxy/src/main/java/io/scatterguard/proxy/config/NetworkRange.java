package io.scatterguard.proxy.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network, or one address, as an address and the number of leading bits that count.
 *
 * @param address the first address of the network
 * @param prefixBits 0..32 of an IPv4 address, 0..128 of an IPv6 address
 */
public record NetworkRange(InetAddress address, int prefixBits) {
    static final String EXPECTED = "an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8";

    private static final Pattern TEXT = Pattern.compile("([0-9A-Fa-f.:]{2,45})(?:/(\\d{1,3}))?");

    public NetworkRange {
        int bits = address.getAddress().length * Byte.SIZE;
        if (prefixBits < 0 || prefixBits > bits) {
            throw new IllegalArgumentException("prefix: " + prefixBits + " (expected: 0.." + bits + ")");
        }
        if (hasBitsAfter(address.getAddress(), prefixBits)) {
            throw new IllegalArgumentException("bits after the first " + prefixBits + " (expected: none)");
        }
    }

    private static boolean hasBitsAfter(byte[] bytes, int prefixBits) {
        for (int bit = prefixBits; bit < bytes.length * Byte.SIZE; bit++) {
            if ((bytes[bit / Byte.SIZE] & (0x80 >> (bit % Byte.SIZE))) != 0) {
                return true;
            }
        }
        return false;
    }

    /** The bytes of its address, 4 or 16 of them. */
    public byte[] addressBytes() {
        return address.getAddress();
    }

    /**
     * The network written as {@code address} or {@code address/bits}; names are not looked up.
     *
     * @throws IllegalArgumentException if it is none, or has bits beyond its prefix, which is mostly a slip
     */
    public static NetworkRange parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        byte[] bytes = matcher.matches() ? NetUtil.createByteArrayFromIpAddressString(matcher.group(1)) : null;
        if (bytes == null) {
            throw new IllegalArgumentException(EXPECTED);
        }
        try {
            // Java makes an IPv4 address of a mapped one, and so are the addresses of peers.
            InetAddress address = InetAddress.getByAddress(bytes);
            int bits = address.getAddress().length * Byte.SIZE;
            return new NetworkRange(address, matcher.group(2) == null ? bits : Integer.parseInt(matcher.group(2)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + prefixBits;
    }
}
