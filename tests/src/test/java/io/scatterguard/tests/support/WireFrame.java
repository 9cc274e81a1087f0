package io.scatterguard.tests.support;

import java.nio.ByteBuffer;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One whole message as it was read from a socket.
 *
 * @param header as it was on the wire: that of the OP_COMPRESSED where the message was compressed
 * @param opCode of the message itself, inside any OP_COMPRESSED
 * @param flagBits the flags of an OP_MSG or OP_QUERY, the response flags of an OP_REPLY, else 0
 * @param namespace {@code fullCollectionName} of an OP_QUERY, else empty
 * @param body the body section of an OP_MSG, the query of an OP_QUERY, the first document of an OP_REPLY; empty for every
 *     other opcode
 * @param sequences the document sequences of an OP_MSG, in the order they were sent
 * @param raw every byte of the message, header included
 */
public record WireFrame(
        WireHeader header,
        int opCode,
        int flagBits,
        String namespace,
        BsonDocument body,
        List<WireSequence> sequences,
        ByteBuffer raw) {
    public static final int CHECKSUM_PRESENT = 1;
    public static final int MORE_TO_COME = 1 << 1;
    public static final int EXHAUST_ALLOWED = 1 << 16;

    public WireFrame {
        sequences = List.copyOf(sequences);
        raw = raw.asReadOnlyBuffer();
    }

    /** A fresh read-only view of every byte; two of them are equal when their bytes are. */
    @Override
    public ByteBuffer raw() {
        return raw.duplicate();
    }

    /** A copy of every byte. */
    public byte[] bytes() {
        byte[] copy = new byte[raw.remaining()];
        raw().get(copy);
        return copy;
    }

    public int requestId() {
        return header.requestId();
    }

    public int responseTo() {
        return header.responseTo();
    }

    /** Whether the message came inside an OP_COMPRESSED. */
    public boolean compressed() {
        return header.opCode() == WireHeader.OP_COMPRESSED;
    }

    /** What a {@link #compressed} message was compressed by. */
    public WireCompressor compressor() {
        if (!compressed()) {
            throw new IllegalStateException("not compressed: " + this);
        }
        return WireCompressor.of(raw.get(WireHeader.BYTES + 2 * Integer.BYTES));
    }

    public boolean checksumPresent() {
        return opCode() == WireHeader.OP_MSG && (flagBits & CHECKSUM_PRESENT) != 0;
    }

    public boolean moreToCome() {
        return opCode() == WireHeader.OP_MSG && (flagBits & MORE_TO_COME) != 0;
    }

    public boolean exhaustAllowed() {
        return opCode() == WireHeader.OP_MSG && (flagBits & EXHAUST_ALLOWED) != 0;
    }

    /** The command document: the body, or what an OP_QUERY wraps in {@code $query}. */
    public BsonDocument command() {
        boolean wrapped = opCode() == WireHeader.OP_QUERY && body.containsKey("$query");
        return wrapped ? body.getDocument("$query") : body;
    }

    /** The command with the document sequences beside it put into it as arrays. */
    public BsonDocument commandWithSequences() {
        if (sequences.isEmpty()) {
            return command();
        }
        BsonDocument whole = new BsonDocument();
        whole.putAll(command());
        sequences.forEach(sequence -> whole.append(sequence.identifier(), new BsonArray(sequence.documents())));
        return whole;
    }

    /** The first key of the command as it was spelled; empty when there is no command. */
    public String commandName() {
        BsonDocument command = command();
        return command.isEmpty() ? "" : command.getFirstKey();
    }

    /** The database: {@code $db} of an OP_MSG, the part before the first dot of an OP_QUERY's namespace; else empty. */
    public String database() {
        if (opCode() == WireHeader.OP_QUERY) {
            int dot = namespace.indexOf('.');
            return dot < 0 ? namespace : namespace.substring(0, dot);
        }
        BsonValue database = body.get("$db");
        return database != null && database.isString() ? database.asString().getValue() : "";
    }

    /** The documents of the sequence called {@code identifier}; empty when there is none. */
    public List<BsonDocument> sequence(String identifier) {
        return sequences.stream()
                .filter(sequence -> sequence.identifier().equals(identifier))
                .flatMap(sequence -> sequence.documents().stream())
                .toList();
    }

    /** Names the message; never shows what is in it. */
    @Override
    public String toString() {
        return header.opCodeName() + " " + commandName() + " requestId: " + requestId() + " responseTo: " + responseTo()
                + " flagBits: " + flagBits + " (" + header.messageLength() + " bytes)";
    }
}
