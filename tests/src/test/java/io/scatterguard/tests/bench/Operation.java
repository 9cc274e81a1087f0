package io.scatterguard.tests.bench;

import io.scatterguard.tests.support.OpMsgBuilder;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/** What is routed: one command a key, with the fields that a driver adds to it. */
public enum Operation {
    FIND_FULL_KEY("find, full key of 3 fields") {
        @Override
        OpMsgBuilder message(OrderKey key, Orders orders) {
            return body("find", new BsonDocument("filter", key.document()).append("limit", new BsonInt32(1)));
        }
    },
    FIND_PARTIAL_KEY("find, 2 of 3 key fields") {
        @Override
        OpMsgBuilder message(OrderKey key, Orders orders) {
            BsonDocument filter = key.document();
            filter.remove("order");
            return body("find", new BsonDocument("filter", filter).append("limit", new BsonInt32(50)));
        }
    },
    FIND_IN_100("find, 100-value $in") {
        @Override
        OpMsgBuilder message(OrderKey key, Orders orders) {
            BsonArray customers = orders.customers(key.customer(), 100)
                    .mapToObj(BsonInt32::new)
                    .collect(Collectors.toCollection(BsonArray::new));
            BsonDocument filter = key.document().append("customer", new BsonDocument("$in", customers));
            return body("find", new BsonDocument("filter", filter));
        }
    },
    INSERT("insert of 1 document") {
        @Override
        OpMsgBuilder message(OrderKey key, Orders orders) {
            BsonDocument document = new BsonDocument("_id", key.document().get("order"));
            document.putAll(key.document());
            document.append("status", new BsonString("open"))
                    .append("total", BsonDocument.parse("{amount: 1295, currency: 'EUR'}"))
                    .append("placedAt", new BsonDateTime(1_800_000_000_000L));
            return body("insert", new BsonDocument("ordered", BsonBoolean.TRUE))
                    .sequence("documents", List.of(document));
        }
    },
    PIPELINE_5("aggregate, 5 stages") {
        @Override
        OpMsgBuilder message(OrderKey key, Orders orders) {
            BsonArray pipeline = BsonArray.parse("[{$addFields: {net: {$subtract: ['$total', '$tax']}}},"
                    + "{$match: {net: {$gt: 100}}},"
                    + "{$group: {_id: '$status', n: {$sum: 1}, sum: {$sum: '$net'}}},"
                    + "{$sort: {sum: -1}}]");
            pipeline.add(0, new BsonDocument("$match", key.document()));
            return body("aggregate", new BsonDocument("pipeline", pipeline).append("cursor", new BsonDocument()));
        }
    };

    private static final byte[] SESSION = new byte[16];

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    /** What a reader of the results calls it. */
    String text() {
        return text;
    }

    /** Whether one shard is enough; otherwise the keys are on several. */
    boolean isOneShard() {
        return this != FIND_PARTIAL_KEY && this != FIND_IN_100;
    }

    abstract OpMsgBuilder message(OrderKey key, Orders orders);

    private static OpMsgBuilder body(String name, BsonDocument options) {
        BsonDocument body = new BsonDocument(name, new BsonString("orders"));
        body.putAll(options);
        BsonDocument signature = new BsonDocument("hash", new BsonBinary((byte) 0, new byte[20]))
                .append("keyId", new BsonInt64(7_300_000_000_000_000_000L));
        body.append("lsid", new BsonDocument("id", new BsonBinary((byte) 4, SESSION)))
                .append(
                        "$clusterTime",
                        new BsonDocument("clusterTime", new BsonTimestamp(1_800_000_000, 1))
                                .append("signature", signature))
                .append("$db", new BsonString("shop"));
        return OpMsgBuilder.of(1, body);
    }
}
