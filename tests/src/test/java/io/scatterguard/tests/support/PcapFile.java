package io.scatterguard.tests.support;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A capture file (classic pcap, raw IPv4) of one TCP connection, whose segments are made up around the bytes given. */
final class PcapFile {
    private static final int LINKTYPE_RAW_IPV4 = 228;
    private static final int SNAP_LENGTH = 262_144;
    private static final int HEADERS = 40;
    private static final int CLIENT_PORT = 50_000;

    /** What fits into an IPv4 packet. */
    private static final int MAX_SEGMENT_BYTES = 32_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int serverPort;
    private int clientSent = 1000;
    private int serverSent = 2000;
    private int packets;

    PcapFile(int serverPort) {
        this.serverPort = serverPort;
        out.writeBytes(ByteBuffer.allocate(24)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0xa1b2c3d4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(SNAP_LENGTH)
                .putInt(LINKTYPE_RAW_IPV4)
                .array());
    }

    void fromClient(byte[] bytes) {
        for (byte[] part : parts(bytes)) {
            packet(CLIENT_PORT, serverPort, clientSent, serverSent, part);
            clientSent += part.length;
        }
    }

    void fromServer(byte[] bytes) {
        for (byte[] part : parts(bytes)) {
            packet(serverPort, CLIENT_PORT, serverSent, clientSent, part);
            serverSent += part.length;
        }
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    private static List<byte[]> parts(byte[] bytes) {
        List<byte[]> parts = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += MAX_SEGMENT_BYTES) {
            parts.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + MAX_SEGMENT_BYTES)));
        }
        return parts;
    }

    private void packet(int from, int to, int sequence, int acknowledged, byte[] payload) {
        int length = HEADERS + payload.length;
        out.writeBytes(ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(1_800_000_000)
                .putInt(++packets)
                .putInt(length)
                .putInt(length)
                .array());
        ByteBuffer headers = ByteBuffer.allocate(HEADERS);
        headers.put((byte) 0x45).put((byte) 0).putShort((short) length).putInt(packets << 16);
        headers.put((byte) 64)
                .put((byte) 6)
                .putShort((short) 0)
                .putInt(0x7f000001)
                .putInt(0x7f000001);
        headers.putShort((short) from).putShort((short) to).putInt(sequence).putInt(acknowledged);
        headers.putShort((short) 0x5018).putShort((short) 65_535).putInt(0); // 20 bytes of header, PSH and ACK.
        out.writeBytes(headers.array());
        out.writeBytes(payload);
    }
}
