package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.HashedKey;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Checks the hash of a value in a hashed index, {@code {value, hash}} (targeting semantics §5, §20). */
final class HashCheck {
    private HashCheck() {}

    static Outcome check(Members line) {
        BsonValue value = Objects.requireNonNull(line.line().get("value"), "value");
        BsonValue hash = Objects.requireNonNull(line.line().get("hash"), "hash");
        if (!hash.isInt64()) {
            throw new LineFormatException(
                    "hash: " + Members.json(hash) + " (expected: a 64-bit number, {\"$numberLong\": \"…\"})");
        }
        long computed = HashedKey.hash(BsonValueView.of(value));
        boolean agree = computed == hash.asInt64().getValue();
        String detail = agree ? "" : "hash " + hash.asInt64().getValue() + " expected, " + computed + " computed";
        return new Outcome("hash of " + new BsonDocument("v", value).toJson(), null, null, agree, detail, null, null);
    }
}
