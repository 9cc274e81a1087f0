package io.scatterguard.tests.support;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** A scripted mongos that answers the client scripts like one behind a proxy that refuses their broadcast. */
final class RefusingShop {
    private static final String NAMESPACE = "shop.orders";
    private static final String REFUSAL = """
            {ok: 0.0, errmsg: "refused", code: 61001, codeName: "ScatterGatherRefused",
             errorLabels: ["ScatterguardRefused"], scatterguard: {missing: ["customerId"]}}""";

    private final AtomicInteger ordersLeft = new AtomicInteger();

    static ScriptedMongos start() {
        RefusingShop shop = new RefusingShop();
        return ScriptedMongos.start()
                .on("insert", RefusingShop::insert)
                .on("find", shop::find)
                .on("getMore", request -> shop.batch(request, "nextBatch"))
                .always(
                        "aggregate",
                        Reply.cursor(
                                NAMESPACE,
                                0,
                                List.of(
                                        BsonDocument.parse("{_id: \"open\", n: 160}"),
                                        BsonDocument.parse("{_id: \"paid\", n: 160}"))))
                .always("update", Reply.json("{n: 1, nModified: 1, ok: 1.0}"))
                .always("delete", Reply.json("{n: 1, ok: 1.0}"));
    }

    private static Reply insert(WireFrame request) {
        int sent = request.sequence("documents").size();
        int n = sent > 0 ? sent : request.command().getArray("documents").size();
        return Reply.json("{n: " + n + ", ok: 1.0}");
    }

    private Reply find(WireFrame request) {
        BsonDocument filter = request.command().getDocument("filter");
        if (filter.containsKey("status")) {
            return Reply.json(REFUSAL);
        }
        if (filter.containsKey("orderId")) {
            return Reply.cursor(NAMESPACE, 0, List.of(BsonDocument.parse("{status: \"sent\"}")));
        }
        ordersLeft.set(320);
        return batch(request, "firstBatch");
    }

    private Reply batch(WireFrame request, String batchName) {
        int size = request.command().getNumber("batchSize").intValue();
        int left = ordersLeft.addAndGet(-size);
        List<BsonDocument> orders = IntStream.range(0, left < 0 ? left + size : size)
                .mapToObj(i -> new BsonDocument("orderId", new BsonInt32(i)))
                .toList();
        return Reply.document(ReplyDocuments.cursor(NAMESPACE, left > 0 ? 99 : 0, batchName, orders));
    }
}
