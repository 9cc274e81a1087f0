package io.scatterguard.tests.support;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Reads whole wire messages from a blocking stream, checking every length and the checksum where there is one. */
public final class FrameReader {
    /** A mongos takes messages up to 48,000,000 bytes; what a reply may add to a 16 MiB document is far below. */
    public static final int MAX_MESSAGE_BYTES = 48_000_000 + 16 * 1024;

    private final DataInputStream in;

    public FrameReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /**
     * The next message, or empty at an end of the stream that falls between two messages.
     *
     * @throws EOFException when the stream ends inside a message
     * @throws MalformedFrameException when the bytes are no wire message
     */
    public Optional<WireFrame> read() throws IOException {
        Optional<WireHeader> header = readHeader();
        return header.isEmpty() ? Optional.empty() : Optional.of(readRest(header.get()));
    }

    /** The next sixteen bytes as a header, or empty at the end of the stream. */
    public Optional<WireHeader> readHeader() throws IOException {
        byte[] bytes = new byte[WireHeader.BYTES];
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        bytes[0] = (byte) first;
        in.readFully(bytes, 1, bytes.length - 1);
        return Optional.of(WireHeader.parse(bytes));
    }

    /** What follows {@code header}, which {@link #readHeader()} returned, as one message. */
    public WireFrame readRest(WireHeader header) throws IOException {
        int length = header.messageLength();
        if (length < WireHeader.BYTES || length > MAX_MESSAGE_BYTES) {
            throw new MalformedFrameException(
                    "messageLength: " + length + " (expected: 16.." + MAX_MESSAGE_BYTES + ")");
        }
        byte[] bytes = new byte[length];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .putInt(header.requestId())
                .putInt(header.responseTo())
                .putInt(header.opCode());
        in.readFully(bytes, WireHeader.BYTES, length - WireHeader.BYTES);
        return parse(bytes);
    }

    /** {@code message}, one whole message, taken apart; the frame borrows the array. */
    public static WireFrame parse(byte[] message) {
        WireHeader header = WireHeader.parse(message);
        if (header.messageLength() != message.length) {
            throw new MalformedFrameException(
                    "messageLength: " + header.messageLength() + " (expected: " + message.length + ")");
        }
        return new FrameParser(header, message).parse();
    }

    /** The CRC-32C of the first {@code length} bytes, as the last four bytes of an OP_MSG carry it. */
    static int checksum(byte[] message, int length) {
        CRC32C crc = new CRC32C();
        crc.update(message, 0, length);
        return (int) crc.getValue();
    }
}
