package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OP_MSG: flag bits, one body section and any number of document sequences in any order, an optional CRC-32C.
 *
 * <p>Source: the manual's "OP_MSG" section and the driver specification "OP_MSG".
 */
public final class OpMsg extends WireMessage {
    /** Bit 0: the last four bytes are a checksum. */
    public static final int CHECKSUM_PRESENT = 1;
    /** Bit 1: another message follows without a request (in a reply), or no reply is wanted (in a request). */
    public static final int MORE_TO_COME = 1 << 1;
    /** Bit 16: the client accepts several replies. */
    public static final int EXHAUST_ALLOWED = 1 << 16;

    /** Bits 0–15 must be understood by who reads them; bits 16–31 may be ignored. */
    private static final int REQUIRED_BITS = 0xffff;

    private static final int CHECKSUM_BYTES = 4;

    /** A body may be as large as a document of the server's own: {@code BSONObjMaxInternalSize}, 16 MiB and 16 KiB. */
    private static final int MAX_BODY_BYTES = 16 * 1024 * 1024 + 16 * 1024;

    /** No command has more than a few; drivers send at most three. */
    private static final int MAX_SECTIONS = 16;

    private final int flagBits;
    private final BsonView body;
    private final List<DocumentSequence> sequences;

    private OpMsg(MessageHeader header, ByteBuf bytes, int flagBits, BsonView body, List<DocumentSequence> sequences) {
        super(header, bytes);
        this.flagBits = flagBits;
        this.body = body;
        this.sequences = sequences;
    }

    /** Decodes the sections. Borrows {@code bytes}; the message returned takes them. */
    static OpMsg decode(MessageHeader header, ByteBuf bytes) {
        int at = bytes.readerIndex() + MessageHeader.SIZE_BYTES;
        int limit = bytes.readerIndex() + header.messageLength();
        require(limit - at >= 4, "flagBits", limit - at, 4);
        int flagBits = bytes.getIntLE(at);
        at += 4;
        if ((flagBits & CHECKSUM_PRESENT) != 0) {
            limit -= CHECKSUM_BYTES;
        }
        BsonView body = null;
        List<DocumentSequence> sequences = List.of();
        while (at < limit) {
            byte kind = bytes.getByte(at++);
            if (kind == 0) {
                if (body != null) {
                    throw new ProtocolException("OP_MSG: a second body section (expected: one)");
                }
                body = BsonView.of(bytes, at, limit);
                if (body.sizeBytes() > MAX_BODY_BYTES) {
                    throw new ProtocolException("OP_MSG: body of " + body.sizeBytes() + " bytes (expected: at most "
                            + MAX_BODY_BYTES + ")");
                }
                at += body.sizeBytes();
            } else if (kind == 1) {
                int size = sequenceSize(bytes, at, limit);
                sequences = sequences.isEmpty() ? new ArrayList<>() : sequences;
                if (sequences.size() == MAX_SECTIONS) {
                    throw new ProtocolException("OP_MSG: more than " + MAX_SECTIONS + " document sequences");
                }
                sequences.add(sequence(bytes, at + 4, at + size));
                at += size;
            } else {
                throw new ProtocolException("OP_MSG: section kind " + kind + " (expected: 0 or 1)");
            }
        }
        if (body == null) {
            throw new ProtocolException("OP_MSG: no body section (expected: one)");
        }
        return new OpMsg(header, bytes, flagBits, body, sequences);
    }

    private static int sequenceSize(ByteBuf bytes, int at, int limit) {
        require(limit - at >= 5, "document sequence", limit - at, 5);
        int size = bytes.getIntLE(at);
        if (size < 5 || size > limit - at) {
            throw new ProtocolException("document sequence length: " + size + " (expected: 5.." + (limit - at) + ")");
        }
        return size;
    }

    private static DocumentSequence sequence(ByteBuf bytes, int at, int limit) {
        int length = bytes.bytesBefore(at, limit - at, (byte) 0);
        if (length < 0) {
            throw new ProtocolException("document sequence: identifier without its terminator");
        }
        String identifier = bytes.toString(at, length, StandardCharsets.UTF_8);
        return new DocumentSequence(identifier, bytes, at + length + 1, limit);
    }

    private static void require(boolean condition, String what, int left, int expected) {
        if (!condition) {
            throw new ProtocolException(what + ": " + left + " bytes left (expected: at least " + expected + ")");
        }
    }

    public int flagBits() {
        return flagBits;
    }

    public boolean checksumPresent() {
        return (flagBits & CHECKSUM_PRESENT) != 0;
    }

    public boolean moreToCome() {
        return (flagBits & MORE_TO_COME) != 0;
    }

    public boolean exhaustAllowed() {
        return (flagBits & EXHAUST_ALLOWED) != 0;
    }

    /** Whether a required flag bit is set that this version does not know. */
    public boolean hasUnknownRequiredBits() {
        return (flagBits & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) != 0;
    }

    /** The body section, a view that dies with this message. */
    public BsonView body() {
        return body;
    }

    /** The document sequences in the order they came. */
    public List<DocumentSequence> sequences() {
        return sequences;
    }

    /** The first sequence with this identifier, or null. */
    public @Nullable DocumentSequence sequence(String identifier) {
        for (DocumentSequence sequence : sequences) {
            if (sequence.identifier().equals(identifier)) {
                return sequence;
            }
        }
        return null;
    }
}
