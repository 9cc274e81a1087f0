package io.scatterguard.tests.support;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** Takes one whole message apart, once. Documents of the frame borrow its bytes. */
final class FrameParser {
    private final WireHeader header;
    private final byte[] message;
    private final ByteBuffer in;

    FrameParser(WireHeader header, byte[] message) {
        this.header = header;
        this.message = message;
        in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).position(WireHeader.BYTES);
    }

    WireFrame parse() {
        try {
            return switch (header.opCode()) {
                case WireHeader.OP_MSG -> parseMsg();
                case WireHeader.OP_QUERY -> parseQuery();
                case WireHeader.OP_REPLY -> parseReply();
                case WireHeader.OP_COMPRESSED -> parseCompressed();
                default -> frame(0, "", new BsonDocument(), List.of());
            };
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new MalformedFrameException("truncated " + header.opCodeName() + " of " + message.length + " bytes");
        }
    }

    private WireFrame frame(int flagBits, String namespace, BsonDocument body, List<WireSequence> sequences) {
        return new WireFrame(header, header.opCode(), flagBits, namespace, body, sequences, ByteBuffer.wrap(message));
    }

    private WireFrame parseMsg() {
        int flagBits = in.getInt();
        if ((flagBits & WireFrame.CHECKSUM_PRESENT) != 0) {
            verifyChecksum();
            in.limit(message.length - Integer.BYTES);
        }
        List<BsonDocument> bodies = new ArrayList<>();
        List<WireSequence> sequences = new ArrayList<>();
        while (in.hasRemaining()) {
            byte kind = in.get();
            switch (kind) {
                case 0 -> bodies.add(document());
                case 1 -> sequences.add(sequence());
                default -> throw new MalformedFrameException("section kind: " + kind + " (expected: 0 or 1)");
            }
        }
        if (bodies.size() != 1) {
            throw new MalformedFrameException("body sections: " + bodies.size() + " (expected: 1)");
        }
        return frame(flagBits, "", bodies.get(0), sequences);
    }

    private void verifyChecksum() {
        int covered = message.length - Integer.BYTES;
        int expected = FrameReader.checksum(message, covered);
        int actual = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(covered);
        if (actual != expected) {
            throw new MalformedFrameException(
                    "checksum: " + Integer.toHexString(actual) + " (expected: " + Integer.toHexString(expected) + ")");
        }
    }

    private WireSequence sequence() {
        int start = in.position();
        int size = in.getInt();
        if (size < Integer.BYTES + 1 || size > in.limit() - start) {
            throw new MalformedFrameException(
                    "sequence size: " + size + " (expected: 5.." + (in.limit() - start) + ")");
        }
        String identifier = cstring();
        List<BsonDocument> documents = new ArrayList<>();
        while (in.position() < start + size) {
            documents.add(document());
        }
        if (in.position() != start + size) {
            throw new MalformedFrameException("sequence " + identifier + ": its last document passes its end");
        }
        return new WireSequence(identifier, documents);
    }

    private WireFrame parseQuery() {
        int flagBits = in.getInt();
        String namespace = cstring();
        in.getInt(); // numberToSkip
        in.getInt(); // numberToReturn
        BsonDocument query = document();
        return frame(flagBits, namespace, query, List.of());
    }

    private WireFrame parseReply() {
        int flagBits = in.getInt();
        in.getLong(); // cursorID
        in.getInt(); // startingFrom
        int documents = in.getInt();
        BsonDocument body = documents > 0 ? document() : new BsonDocument();
        return frame(flagBits, "", body, List.of());
    }

    private WireFrame parseCompressed() {
        int opCode = in.getInt();
        int size = in.getInt();
        WireCompressor compressor = WireCompressor.of(in.get());
        if (opCode == WireHeader.OP_COMPRESSED) {
            throw new MalformedFrameException("OP_COMPRESSED in OP_COMPRESSED");
        }
        if (size < 0 || size > FrameReader.MAX_MESSAGE_BYTES) {
            throw new MalformedFrameException("uncompressedSize: " + size);
        }
        byte[] packed = new byte[in.remaining()];
        in.get(packed);
        byte[] content = decompress(compressor, packed, size);
        byte[] plain = new MessageBytes().bytes(content).finish(header.requestId(), header.responseTo(), opCode, 0);
        WireFrame inner = FrameReader.parse(plain);
        return new WireFrame(
                header,
                opCode,
                inner.flagBits(),
                inner.namespace(),
                inner.body(),
                inner.sequences(),
                ByteBuffer.wrap(message));
    }

    private static byte[] decompress(WireCompressor compressor, byte[] packed, int size) {
        try {
            byte[] content = compressor.decompress(packed, size);
            if (content.length != size) {
                throw new MalformedFrameException(
                        "uncompressedSize: " + size + " (expected: " + content.length + ", by " + compressor + ")");
            }
            return content;
        } catch (IOException e) {
            throw new MalformedFrameException(compressor.wireName() + ": " + e.getMessage());
        }
    }

    private BsonDocument document() {
        int start = in.position();
        int size = in.getInt(start);
        if (size < 5 || size > in.limit() - start) {
            throw new MalformedFrameException(
                    "document size: " + size + " (expected: 5.." + (in.limit() - start) + ")");
        }
        in.position(start + size);
        return new RawBsonDocument(message, start, size);
    }

    private String cstring() {
        int start = in.position();
        while (in.get() != 0) {
            // The loop's condition advances.
        }
        return new String(message, start, in.position() - 1 - start, StandardCharsets.UTF_8);
    }
}
