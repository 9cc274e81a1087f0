package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the fields of a legacy message one after another; every length is checked against the message. Borrows it. */
final class LegacyFields {
    /** Four times what a server takes for a namespace. What is longer is not even made into a string. */
    static final int MAX_NAME_BYTES = 1024;

    private final String opCode;
    private final ByteBuf bytes;
    private final int limit;
    private int at;

    LegacyFields(MessageHeader header, ByteBuf bytes) {
        this.opCode = header.opCode().name();
        this.bytes = bytes;
        this.at = bytes.readerIndex() + MessageHeader.SIZE_BYTES;
        this.limit = bytes.readerIndex() + header.messageLength();
    }

    int left() {
        return limit - at;
    }

    int int32(String field) {
        require(field, Integer.BYTES);
        at += Integer.BYTES;
        return bytes.getIntLE(at - Integer.BYTES);
    }

    long int64(String field) {
        require(field, Long.BYTES);
        at += Long.BYTES;
        return bytes.getLongLE(at - Long.BYTES);
    }

    /** {@code fullCollectionName}, up to its terminator. */
    String namespace() {
        int length = left() == 0 ? -1 : bytes.bytesBefore(at, left(), (byte) 0);
        if (length < 0) {
            throw new ProtocolException(opCode + ": fullCollectionName without its terminator");
        }
        requireName(opCode + " fullCollectionName", length);
        String name = bytes.toString(at, length, StandardCharsets.UTF_8);
        at += length + 1;
        return name;
    }

    BsonView document() {
        BsonView document = BsonView.of(bytes, at, limit);
        at += document.sizeBytes();
        return document;
    }

    /** The documents up to the end of the message, of which there must be {@code least} to {@code most}. */
    List<BsonView> documents(int least, int most) {
        List<BsonView> documents = new ArrayList<>();
        while (at < limit) {
            if (documents.size() == most) {
                throw new ProtocolException(opCode + ": more than " + most + " documents");
            }
            documents.add(document());
        }
        if (documents.size() < least) {
            throw new ProtocolException(
                    opCode + ": " + documents.size() + " documents (expected: at least " + least + ")");
        }
        return documents;
    }

    /** Checks that nothing follows. */
    void end() {
        if (at != limit) {
            throw new ProtocolException(opCode + ": " + left() + " bytes after its last field (expected: none)");
        }
    }

    ProtocolException wrong(String field, long value, String expected) {
        return new ProtocolException(opCode + " " + field + ": " + value + " (expected: " + expected + ")");
    }

    /** Checks that {@code length} bytes are not too many for a name. */
    static void requireName(String what, int length) {
        if (length > MAX_NAME_BYTES) {
            throw new ProtocolException(what + ": " + length + " bytes (expected: at most " + MAX_NAME_BYTES + ")");
        }
    }

    private void require(String field, int count) {
        if (left() < count) {
            throw new ProtocolException(
                    opCode + " " + field + ": " + left() + " bytes left (expected: at least " + count + ")");
        }
    }
}
