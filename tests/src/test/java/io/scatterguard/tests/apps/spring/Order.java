package io.scatterguard.tests.apps.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Sharded;

/** One order. With an immutable key, saving one does not first look for its key by {@code _id}, which is a broadcast itself. */
@Document("orders")
@Sharded(
        shardKey = {"customerId", "orderId"},
        immutableKey = true)
record Order(@Id @Nullable String id, int customerId, int orderId, String status, int total) {
    static Order open(int customerId, int orderId, int total) {
        return new Order(null, customerId, orderId, "open", total);
    }

    Order with(String other) {
        return new Order(id, customerId, orderId, other, total);
    }
}
