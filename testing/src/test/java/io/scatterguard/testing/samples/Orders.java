package io.scatterguard.testing.samples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** A small application; its collection is to be sharded by {@code {customerId: 1}}. */
public final class Orders implements AutoCloseable {
    private final MongoClient client;

    public Orders(String uri) {
        client = MongoClients.create(uri);
    }

    public List<Document> ofCustomer(int customerId) {
        return find("customerId", customerId);
    }

    public List<Document> byStatus(String status) {
        return find("status", status);
    }

    /** A broadcast by any field but the key: each has a query shape of its own. */
    public List<Document> find(String field, Object value) {
        return client.getDatabase("shop")
                .getCollection("orders")
                .find(Filters.eq(field, value))
                .into(new ArrayList<>());
    }

    /** On a collection without a rule. */
    public long settings() {
        return client.getDatabase("shop")
                .getCollection("settings")
                .find(Filters.eq("name", "theme"))
                .into(new ArrayList<>())
                .size();
    }

    @Override
    public void close() {
        client.close();
    }
}
