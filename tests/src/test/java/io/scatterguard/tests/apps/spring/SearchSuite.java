package io.scatterguard.tests.apps.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One query is a broadcast, by a repository and by a template. */
class SearchSuite extends ShopSuite {
    private static final String RETURNED = "returned-4711";

    @Test
    void returnedOrdersAreListed() {
        repository.save(Order.open(4201, 1, 1).with(RETURNED));
        assertThat(repository.findByStatus(RETURNED)).hasSize(1);
    }

    @Test
    void returnedOrdersAreQueried() {
        assertThat(queries.withStatus(RETURNED)).hasSizeLessThan(2);
    }
}
