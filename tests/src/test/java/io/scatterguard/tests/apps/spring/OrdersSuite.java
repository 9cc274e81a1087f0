package io.scatterguard.tests.apps.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Its queries give the shard key. */
class OrdersSuite extends ShopSuite {
    @Test
    void ordersOfACustomerComeInTheirOrder() {
        repository.save(Order.open(4101, 2, 20));
        repository.save(Order.open(4101, 1, 10));
        assertThat(repository.findByCustomerIdOrderByOrderId(4101))
                .extracting(Order::orderId)
                .containsExactly(1, 2);
        assertThat(queries.totalOf(4101)).isEqualTo(30);
    }

    @Test
    void anOrderIsPaidOnce() {
        repository.save(Order.open(4102, 1, 5));
        assertThat(queries.pay(4102, 1)).isEqualTo(1);
        assertThat(queries.pay(4102, 1)).isZero();
    }

    /** By {@code @Sharded}. */
    @Test
    void aSavedOrderIsFoundByItsKey() {
        Order order = repository.save(Order.open(4103, 1, 5));
        repository.save(order.with("shipped"));
        assertThat(repository.findByCustomerIdOrderByOrderId(4103))
                .singleElement()
                .extracting(Order::status)
                .isEqualTo("shipped");
    }
}
