package io.scatterguard.tests.bench;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;

/** One shard key of {@link Orders}. */
record OrderKey(String region, int customer, ObjectId order) {
    BsonDocument document() {
        return new BsonDocument("region", new BsonString(region))
                .append("customer", new BsonInt32(customer))
                .append("order", new BsonObjectId(order));
    }

    byte[] bytes() {
        return KeyBytes.ofValues(BsonView.encode(document()));
    }
}
