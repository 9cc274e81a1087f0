package io.scatterguard.tests.apps.spring;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.aggregation.Aggregation;
import org.springframework.data.mongodb.core.aggregation.AggregationOptions;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;

/**
 * Queries by a template.
 *
 * @param comment gives the comment of each
 */
record OrderQueries(MongoTemplate template, Supplier<String> comment) {
    long pay(int customerId, int orderId) {
        Query key = new Query(where("customerId").is(customerId).and("orderId").is(orderId));
        return template.updateFirst(key, Update.update("status", "paid"), Order.class)
                .getModifiedCount();
    }

    int totalOf(int customerId) {
        Aggregation sum = Aggregation.newAggregation(
                        Aggregation.match(where("customerId").is(customerId)),
                        Aggregation.group().sum("total").as("total"))
                .withOptions(AggregationOptions.builder().comment(comment.get()).build());
        org.bson.Document total =
                template.aggregate(sum, Order.class, org.bson.Document.class).getUniqueMappedResult();
        return total == null ? 0 : total.getInteger("total");
    }

    /** The planted broadcast, once more. */
    List<Order> withStatus(String status) {
        return template.find(new Query(where("status").is(status)).comment(comment.get()), Order.class);
    }
}
