package io.scatterguard.tests.support;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** What the programs of {@code clients/} do, by the Java driver within this JVM. */
public final class JavaClient {
    private static final String CUSTOMER = "java-driver";
    private static final int ORDERS = 320;
    private static final int BATCH_SIZE = 50;

    private final MongoClientSettings settings;
    private final AtomicInteger getMores = new AtomicInteger();

    /** Against {@code uri}; by TLS unless {@code tls} is null. */
    public JavaClient(String uri, SSLContext tls) {
        settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToSslSettings(ssl -> ssl.enabled(tls != null).context(tls))
                .applyToConnectionPoolSettings(pool -> pool.maxSize(1))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (event.getCommandName().equals("getMore")) {
                            getMores.incrementAndGet();
                        }
                    }
                })
                .build();
    }

    /** The result of a run as the programs print it, as far as it says what happened. */
    public BsonDocument run() {
        try (MongoClient client = MongoClients.create(settings)) {
            return run(client.getDatabase("shop").getCollection("orders", BsonDocument.class));
        }
    }

    private BsonDocument run(MongoCollection<BsonDocument> orders) {
        orders.deleteMany(ofCustomer());
        orders.insertOne(order(0));
        int inserted = 1
                + orders.insertMany(IntStream.range(1, ORDERS)
                                .mapToObj(JavaClient::order)
                                .toList())
                        .getInsertedIds()
                        .size();
        int found = orders.find(ofCustomer())
                .batchSize(BATCH_SIZE)
                .into(new ArrayList<>())
                .size();
        BsonDocument grouped = new BsonDocument();
        orders.aggregate(List.of(Aggregates.match(ofCustomer()), Aggregates.group("$status", Accumulators.sum("n", 1))))
                .forEach(group -> grouped.append(group.getString("_id").getValue(), group.get("n")));
        long updated = orders.updateOne(key(7), Updates.set("status", "sent")).getModifiedCount();
        long deleted = orders.deleteOne(key(8)).getDeletedCount();
        BsonDocument refusal = broadcast(orders);
        BsonDocument afterwards = orders.find(key(7)).first();
        return new BsonDocument("inserted", new BsonInt32(inserted))
                .append("found", new BsonInt32(found))
                .append("getMores", new BsonInt32(getMores.get()))
                .append("grouped", grouped)
                .append("updated", new BsonInt32((int) updated))
                .append("deleted", new BsonInt32((int) deleted))
                .append("refusal", refusal)
                .append("afterwards", afterwards.getString("status"));
    }

    private static BsonDocument broadcast(MongoCollection<BsonDocument> orders) {
        try {
            orders.find(Filters.eq("status", "open")).batchSize(BATCH_SIZE).into(new ArrayList<>());
            return new BsonDocument();
        } catch (MongoCommandException e) {
            return e.getResponse();
        }
    }

    private static BsonDocument order(int number) {
        return new BsonDocument("customerId", new BsonString(CUSTOMER))
                .append("orderId", new BsonInt32(number))
                .append("status", new BsonString(number % 2 == 0 ? "open" : "paid"));
    }

    private static Bson ofCustomer() {
        return Filters.eq("customerId", CUSTOMER);
    }

    private static Bson key(int order) {
        return Filters.and(ofCustomer(), Filters.eq("orderId", order));
    }
}
