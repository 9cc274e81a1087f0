package io.scatterguard.tests.support;

import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** The clock of a cluster in replies, and the check that clients return what they were given. Thread-safe. */
final class ClusterTimeGossip {
    private static final int STARTED_AT_SECONDS = 1_800_000_000;

    private static final BsonDocument SIGNATURE = new BsonDocument(
                    "hash",
                    new BsonBinary(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}))
            .append("keyId", new BsonInt64(7_000_000_000_000_000_001L));

    private int ticks;

    /** Fails when {@code command} has a {@code $clusterTime} that was never handed out. */
    synchronized void check(BsonDocument command) {
        BsonValue returned = command.get("$clusterTime");
        if (returned == null) {
            return;
        }
        BsonTimestamp time = returned.asDocument().getTimestamp("clusterTime");
        boolean given = time.getTime() == STARTED_AT_SECONDS && time.getInc() >= 1 && time.getInc() <= ticks;
        if (!given || !SIGNATURE.equals(returned.asDocument().get("signature"))) {
            throw new IllegalStateException("$clusterTime: " + returned + " was never given");
        }
    }

    /** {@code reply} with the time after it. */
    synchronized BsonDocument stamped(BsonDocument reply) {
        BsonTimestamp now = new BsonTimestamp(STARTED_AT_SECONDS, ++ticks);
        BsonDocument stamped = new BsonDocument();
        stamped.putAll(reply);
        return stamped.append("$clusterTime", new BsonDocument("clusterTime", now).append("signature", SIGNATURE))
                .append("operationTime", now);
    }
}
