package io.scatterguard.tests.apps.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One query is a broadcast on purpose. */
class NightlySuite extends ShopSuite {
    @Test
    void theNightlyReportHasLargeOrders() {
        repository.save(Order.open(4301, 1, 990_001));
        assertThat(repository.aboveTotal(990_001)).hasSize(1);
    }
}
