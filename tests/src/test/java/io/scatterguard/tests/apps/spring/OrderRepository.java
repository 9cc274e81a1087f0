package io.scatterguard.tests.apps.spring;

import java.util.List;
import org.springframework.data.mongodb.repository.Meta;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.Query;

/** Queries that are derived from names, or written down. */
interface OrderRepository extends MongoRepository<Order, String> {
    List<Order> findByCustomerIdOrderByOrderId(int customerId);

    /** The planted broadcast: whose orders, the filter does not say. */
    List<Order> findByStatus(String status);

    /** Reads every shard on purpose. */
    @Query("{total: {$gte: ?0}}")
    @Meta(comment = "scatterguard:allow=nightly-report")
    List<Order> aboveTotal(int total);
}
