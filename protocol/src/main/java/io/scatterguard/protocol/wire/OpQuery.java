package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;

/**
 * OP_QUERY: flags, {@code db.coll}, numberToSkip, numberToReturn, the query. Still sent for the first {@code hello} of a
 * connection; on {@code db.$cmd} it carries a command.
 */
public final class OpQuery extends WireMessage {
    /** Bit 6: the server is to send every batch by itself. */
    public static final int EXHAUST = 1 << 6;

    private static final String COMMANDS = ".$cmd";

    private final int flags;
    private final String fullCollectionName;
    private final BsonView query;

    private OpQuery(MessageHeader header, ByteBuf bytes, int flags, String fullCollectionName, BsonView query) {
        super(header, bytes);
        this.flags = flags;
        this.fullCollectionName = fullCollectionName;
        this.query = query;
    }

    /** Decodes the parts. Borrows {@code bytes}; the message returned takes them. */
    static OpQuery decode(MessageHeader header, ByteBuf bytes) {
        int at = bytes.readerIndex() + MessageHeader.SIZE_BYTES;
        int limit = bytes.readerIndex() + header.messageLength();
        if (limit - at < 4) {
            throw new ProtocolException("OP_QUERY flags: " + (limit - at) + " bytes left (expected: at least 4)");
        }
        int flags = bytes.getIntLE(at);
        at += 4;
        int length = bytes.bytesBefore(at, limit - at, (byte) 0);
        if (length < 0 || limit - (at + length + 1) < 8) {
            throw new ProtocolException("OP_QUERY: cut off after the collection name");
        }
        LegacyFields.requireName("OP_QUERY fullCollectionName", length);
        String name = bytes.toString(at, length, StandardCharsets.UTF_8);
        return new OpQuery(header, bytes, flags, name, BsonView.of(bytes, at + length + 9, limit));
    }

    public int flags() {
        return flags;
    }

    /** {@code db.coll}; {@code db.$cmd} for a command. */
    public String fullCollectionName() {
        return fullCollectionName;
    }

    /**
     * Whether this is a command rather than a query of a collection. {@code admin.$cmd.sys.inprog} and its like are no
     * commands but collections that the server makes up.
     */
    public boolean isCommand() {
        int dot = fullCollectionName.indexOf('.');
        return dot >= 0
                && fullCollectionName.length() == dot + COMMANDS.length()
                && fullCollectionName.endsWith(COMMANDS);
    }

    public boolean exhaust() {
        return (flags & EXHAUST) != 0;
    }

    public BsonView query() {
        return query;
    }
}
