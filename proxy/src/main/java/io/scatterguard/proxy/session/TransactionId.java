package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.session.Authentication.Identity;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * Which multi-document transaction a command belongs to.
 *
 * @param session that of its {@code lsid}
 * @param number its {@code txnNumber}, ascending within the session
 */
record TransactionId(Session session, long number) {
    /**
     * A session, as servers tell them apart: two users never share one, though both may choose the same {@code id}.
     *
     * @param id of its {@code lsid}
     * @param user whose it is; null where nobody has authenticated
     */
    record Session(UUID id, @Nullable Identity user) {}

    /** The largest {@code lsid} that is looked at; a driver's has 30 bytes, one with the hash of a user 71. */
    static final int MAX_LSID_BYTES = 256;

    private static final int UUID_BYTES = 16;

    /**
     * The transaction that {@code command}, which is borrowed, belongs to; null if it belongs to none. What no server takes for
     * a transaction's identity is none.
     *
     * @param user whose command it is; null where nobody has authenticated
     */
    static @Nullable TransactionId of(CommandView command, @Nullable Identity user) {
        if (!command.inTransaction()) {
            return null;
        }
        try {
            BsonValueView lsid = command.get("lsid");
            BsonValueView number = command.get("txnNumber");
            if (lsid == null || !lsid.isDocument() || lsid.length() > MAX_LSID_BYTES) {
                return null;
            }
            return number != null && number.isNumber() ? of(lsid.document(), number.numberAsLong(), user) : null;
        } catch (MalformedBsonException e) {
            return null;
        }
    }

    private static @Nullable TransactionId of(BsonView lsid, long number, @Nullable Identity user) {
        BsonValueView id = lsid.get("id");
        byte[] bytes = id == null || id.type() != BsonType.BINARY ? new byte[0] : id.binary();
        if (bytes.length != UUID_BYTES) {
            return null;
        }
        ByteBuffer uuid = ByteBuffer.wrap(bytes);
        return new TransactionId(new Session(new UUID(uuid.getLong(), uuid.getLong()), user), number);
    }

    /** Whether {@code command}, which is borrowed and in a transaction, is the one that begins it. */
    static boolean isBegunBy(CommandView command) {
        BsonValueView start = command.get("startTransaction");
        return start != null && start.type() == BsonType.BOOLEAN && start.bool();
    }
}
