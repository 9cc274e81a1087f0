package io.scatterguard.proxy.policy;

import io.netty.util.NetUtil;
import io.scatterguard.proxy.config.NetworkRange;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Networks that a client's address may be in. */
final class AddressRanges {
    private final NetworkRange[] ranges;
    private final byte[][] addresses;

    AddressRanges(List<NetworkRange> ranges) {
        this.ranges = ranges.toArray(NetworkRange[]::new);
        this.addresses = ranges.stream().map(NetworkRange::addressBytes).toArray(byte[][]::new);
    }

    /**
     * Whether one of them holds the address of {@code peer}; every address does if there is none, and none that cannot be
     * read does otherwise.
     *
     * @param peer {@code host:port}, an IPv6 address with or without brackets
     */
    boolean hold(String peer) {
        if (ranges.length == 0) {
            return true;
        }
        byte[] address = address(peer);
        if (address == null) {
            return false;
        }
        for (int i = 0; i < ranges.length; i++) {
            if (agree(address, addresses[i], ranges[i].prefixBits())) {
                return true;
            }
        }
        return false;
    }

    private static byte @Nullable [] address(String peer) {
        int colon = peer.lastIndexOf(':');
        String host = colon < 0 ? peer : peer.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        return bytes != null && isMapped(bytes) ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
    }

    /** An IPv4 address as IPv6 writes it, {@code ::ffff:10.0.0.1}. */
    private static boolean isMapped(byte[] bytes) {
        if (bytes.length != 16 || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean agree(byte[] address, byte[] network, int bits) {
        if (address.length != network.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        if (!Arrays.equals(address, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        int mask = 0xff << (Byte.SIZE - rest);
        return rest == 0 || (address[whole] & mask) == (network[whole] & mask);
    }
}
