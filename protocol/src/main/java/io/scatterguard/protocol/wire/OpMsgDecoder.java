package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.MalformedOpMsg.Fault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one OP_MSG as strictly as a server does, in the server's order: what makes a server close the connection is a
 * {@link ProtocolException}, what it answers with an error becomes a {@link MalformedOpMsg}. Lengths that do not fit
 * always close.
 */
final class OpMsgDecoder {
    private static final int FLAG_BYTES = 4;

    /** A body may be as large as a document of the server's own: {@code BSONObjMaxInternalSize}, 16 MiB and 16 KiB. */
    private static final int MAX_BODY_BYTES = 16 * 1024 * 1024 + 16 * 1024;

    /** A server takes two and closes on a third; a later release may take more. */
    private static final int MAX_SEQUENCES = 16;

    private final MessageHeader header;
    private final ByteBuf bytes;
    private final int start;
    private final int limit;
    private int at;
    private @Nullable BsonView body;
    private List<DocumentSequence> sequences = List.of();

    private OpMsgDecoder(MessageHeader header, ByteBuf bytes) {
        this.header = header;
        this.bytes = bytes;
        start = bytes.readerIndex();
        limit = start + header.messageLength();
        at = start + MessageHeader.SIZE_BYTES;
    }

    /** Borrows {@code bytes}; the message returned takes them. */
    static WireMessage decode(MessageHeader header, ByteBuf bytes) {
        return new OpMsgDecoder(header, bytes).decode();
    }

    private WireMessage decode() {
        require(limit - at >= FLAG_BYTES, "flagBits", limit - at, FLAG_BYTES);
        int flagBits = bytes.getIntLE(at);
        if (OpMsg.hasUnknownRequiredBits(flagBits)) {
            throw new ProtocolException("OP_MSG flagBits: 0x" + Integer.toHexString(flagBits)
                    + " (expected: of bits 0 to 15 only checksumPresent and moreToCome; IllegalOpMsgFlag)");
        }
        at += FLAG_BYTES;
        boolean checksummed = (flagBits & OpMsg.CHECKSUM_PRESENT) != 0;
        Fault fault = checksummed && limit - at <= Checksum.SIZE_BYTES
                ? Fault.located(51252, "Invalid message size for an OpMsg containing a checksum")
                : sections(checksummed ? limit - Checksum.SIZE_BYTES : limit);
        BsonView found = body;
        if (fault != null || found == null) {
            Fault named = fault != null ? fault : Fault.located(40587, "OP_MSG messages must have a body");
            return new MalformedOpMsg(header, bytes, flagBits, named);
        }
        Fault twice = fieldInBodyAndSequence(found);
        if (twice != null) {
            return new MalformedOpMsg(header, bytes, flagBits, twice);
        }
        if (checksummed) {
            requireChecksum();
        }
        return new OpMsg(header, bytes, flagBits, found, sequences);
    }

    private @Nullable Fault sections(int end) {
        while (at < end) {
            int kind = bytes.getUnsignedByte(at++);
            Fault fault = switch (kind) {
                case 0 -> bodySection(end);
                case 1 -> documentSequence(end);
                // A security token, which only a server of many tenants takes.
                case 2 -> new Fault(13, "Unauthorized", "Unsupported Security Token provided");
                default -> Fault.located(40432, "Unknown section kind " + kind);
            };
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private @Nullable Fault bodySection(int end) {
        if (body != null) {
            return Fault.located(40430, "Multiple body sections in message");
        }
        BsonView found = BsonView.of(bytes, at, end);
        if (found.sizeBytes() > MAX_BODY_BYTES) {
            throw new ProtocolException(
                    "OP_MSG: body of " + found.sizeBytes() + " bytes (expected: at most " + MAX_BODY_BYTES + ")");
        }
        at += found.sizeBytes();
        body = found;
        return null;
    }

    private @Nullable Fault documentSequence(int end) {
        require(end - at >= 5, "document sequence", end - at, 5);
        int size = bytes.getIntLE(at);
        if (size < 5 || size > end - at) {
            throw new ProtocolException("document sequence length: " + size + " (expected: 5.." + (end - at) + ")");
        }
        if (sequences.size() == MAX_SEQUENCES) {
            throw new ProtocolException("OP_MSG: more than " + MAX_SEQUENCES + " document sequences");
        }
        int name = at + 4;
        int nameLength = bytes.bytesBefore(name, size - 4, (byte) 0);
        if (nameLength < 0) {
            throw new ProtocolException("document sequence: identifier without its terminator");
        }
        LegacyFields.requireName("document sequence identifier", nameLength);
        String identifier = bytes.toString(name, nameLength, StandardCharsets.UTF_8);
        for (DocumentSequence sequence : sequences) {
            if (sequence.identifier().equals(identifier)) {
                return Fault.located(40431, "Duplicate document sequence: " + identifier);
            }
        }
        sequences = sequences.isEmpty() ? new ArrayList<>() : sequences;
        sequences.add(new DocumentSequence(identifier, bytes, name + nameLength + 1, at + size));
        at += size;
        return null;
    }

    private @Nullable Fault fieldInBodyAndSequence(BsonView found) {
        for (int i = 0; i < sequences.size(); i++) {
            String identifier = sequences.get(i).identifier();
            if (found.get(identifier) != null) {
                return Fault.located(40433, "Duplicate field between body and document sequence " + identifier);
            }
        }
        return null;
    }

    private void requireChecksum() {
        int length = header.messageLength() - Checksum.SIZE_BYTES;
        int declared = bytes.getIntLE(start + length);
        int found = Checksum.of(bytes, start, length);
        if (declared != found) {
            throw new ProtocolException("OP_MSG checksum: " + Integer.toHexString(declared) + " (expected: "
                    + Integer.toHexString(found) + "; ChecksumMismatch)");
        }
    }

    private static void require(boolean condition, String what, int left, int expected) {
        if (!condition) {
            throw new ProtocolException(what + ": " + left + " bytes left (expected: at least " + expected + ")");
        }
    }
}
