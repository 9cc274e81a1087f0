package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.client;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything has exactly one owner. */
class OwnersTest {
    private static final Owners OWNERS = policy("owners: [{owner: orders, namespace: [shop.orders, \"shop.order_*\"]},"
                    + " {owner: data, appName: \"report-*\"}, {owner: night, user: cron@admin, namespace: \"shop.*\"},"
                    + " {owner: shop, namespace: \"shop.*\"}, {owner: orders, namespace: old.orders}]")
            .owners();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shop.orders      |          |       | orders",
                "shop.orders      | report-1 |       | orders",
                "shop.order_lines |          |       | orders",
                "shop.users       | report-1 |       | data",
                "shop.users       | web      |       | shop",
                "shop.users       |          | cron  | night",
                "other.users      |          | cron  | unowned",
                "other.users      | report-2 |       | data",
                "old.orders       |          |       | orders",
                "shop             |          |       | unowned",
            })
    void theFirstThatMatches(String namespace, String appName, String user, String expected) {
        ClientInfo client = client(appName, null);
        ClientInfo known = user == null ? client : client.withUser(user, "admin");

        assertThat(OWNERS.of(Namespace.parse(namespace), known)).isEqualTo(expected);
        assertThat(OWNERS.of(RouteFixture.scatter(namespace), known)).isEqualTo(expected);
    }

    @Test
    void allOfThemAreKnownInAdvance() {
        assertThat(OWNERS.all()).containsExactly("orders", "data", "night", "shop", "unowned");
        assertThat(policy("mode: observe").owners().all()).containsExactly("unowned");
    }

    @Test
    void anEntryThatNarrowsNothingIsForTheRest() {
        Owners owners = policy("owners: [{owner: orders, namespace: shop.orders}, {owner: platform}]")
                .owners();

        assertThat(owners.of(Namespace.parse("other.c"), CLIENT)).isEqualTo("platform");
        assertThat(owners.of(Namespace.parse("shop.orders"), CLIENT)).isEqualTo("orders");
    }
}
