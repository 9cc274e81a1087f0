package io.scatterguard.proxy.embedded;

import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import java.util.List;
import java.util.function.ToLongFunction;
import org.bson.Document;

/**
 * What one step of the tour asks, and what it must bring. The filters are written once, as the shell shows them.
 *
 * @param asked the command in shell syntax
 * @param noun what is counted, in the singular
 * @param expectedCount the count that must come back where the command is not refused
 * @param broadcast whether a proxy in enforce mode refuses the command
 * @param ask sends the command and counts what comes back
 */
record TourStop(String asked, String noun, long expectedCount, boolean broadcast, ToLongFunction<MongoDatabase> ask) {
    private static final String ORDERS = "orders";
    private static final String ONE_ORDER = "{customerId: 42, orderId: 42003}";
    private static final String OPEN_ORDERS = "{status: \"open\"}";
    private static final String COMMENT = "scatterguard:allow=" + DemoTour.EXEMPTION;

    /** The statuses are dealt out evenly, and there are five of them. */
    private static final int OPEN_COUNT = ShopData.CUSTOMERS * ShopData.ORDERS_PER_CUSTOMER / 5;

    /** The stops in their order. Running them again on the same data brings the same. */
    static List<TourStop> all() {
        return List.of(
                find(ONE_ORDER, 1, false),
                find("{customerId: 311}", ShopData.ORDERS_PER_CUSTOMER, false),
                find("{customerId: {$in: [17, 42, 101]}}", 3L * ShopData.ORDERS_PER_CUSTOMER, false),
                find(OPEN_ORDERS, OPEN_COUNT, true),
                exemptedFind(),
                insert("{customerId: 399, orderId: 399006, status: \"paid\", totalCents: 4990}"),
                updateOne("{$set: {giftWrapped: true}}"),
                aggregate("{$match: {customerId: 42}}", "{$group: {_id: \"$status\", orders: {$sum: 1}}}"));
    }

    /** The count with its noun, such as "1 document" or "18 documents". */
    String counted(long count) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static TourStop find(String filter, long expectedCount, boolean broadcast) {
        return new TourStop(
                "db.orders.find(" + filter + ")",
                "document",
                expectedCount,
                broadcast,
                shop -> count(orders(shop).find(Document.parse(filter))));
    }

    private static TourStop exemptedFind() {
        return new TourStop(
                "db.orders.find(" + OPEN_ORDERS + ").comment(\"" + COMMENT + "\")",
                "document",
                OPEN_COUNT,
                false,
                shop -> {
                    FindIterable<Document> found = orders(shop).find(Document.parse(OPEN_ORDERS));
                    return count(found.comment(COMMENT));
                });
    }

    private static TourStop insert(String document) {
        return new TourStop("db.orders.insertOne(" + document + ")", "inserted document", 1, false, shop -> {
            // No id comes back for an insert that was not acknowledged.
            return orders(shop).insertOne(Document.parse(document)).getInsertedId() == null ? 0 : 1;
        });
    }

    private static TourStop updateOne(String update) {
        return new TourStop(
                "db.orders.updateOne(" + ONE_ORDER + ", " + update + ")",
                "matched document",
                1,
                false,
                shop -> orders(shop)
                        .updateOne(Document.parse(ONE_ORDER), Document.parse(update))
                        .getMatchedCount());
    }

    private static TourStop aggregate(String match, String group) {
        return new TourStop("db.orders.aggregate([" + match + ", " + group + "])", "group", 5, false, shop -> {
            AggregateIterable<Document> groups =
                    orders(shop).aggregate(List.of(Document.parse(match), Document.parse(group)));
            return count(groups);
        });
    }

    private static MongoCollection<Document> orders(MongoDatabase shop) {
        return shop.getCollection(ORDERS);
    }

    /** Reads every batch: what comes back over several of them is counted whole. */
    private static long count(MongoIterable<Document> documents) {
        long count = 0;
        for (Document ignored : documents) {
            count++;
        }
        return count;
    }
}
