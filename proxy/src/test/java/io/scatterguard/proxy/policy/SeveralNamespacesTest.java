package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every op of a {@code bulkWrite} is judged, and exempted, by the collection that it is about itself. */
class SeveralNamespacesTest {
    private static final CatalogSnapshot CATALOG = new CatalogSnapshot(
            Instant.EPOCH,
            true,
            ShardRegistry.empty().withRegistered(List.of("shard-a", "shard-b")),
            Map.of("shop", 0),
            Map.of(
                    Namespace.parse("shop.orders"), ShardedCollection.of("shop.orders", "{customer: 1}"),
                    Namespace.parse("shop.users"), ShardedCollection.of("shop.users", "{email: 1}")));

    private static final String BROADCAST_ORDERS = "{delete: 0, filter: {status: 1}, multi: true}";
    private static final String POINT_ORDERS = "{delete: 0, filter: {customer: 1}, multi: true}";
    private static final String BROADCAST_USERS = "{delete: 1, filter: {name: 1}, multi: true}";
    private static final String POINT_USERS = "{delete: 1, filter: {email: 1}, multi: true}";

    private static final String LENIENT = "mode: enforce, default: {writes: allow}, ";
    private static final String STRICT = "mode: enforce, default: {writes: refuse}, ";

    private static CommandView bulkWrite(String... ops) {
        return CommandView.of(
                "admin",
                BsonView.encode(BsonDocument.parse("{bulkWrite: 1, ops: [" + String.join(", ", ops)
                        + "], nsInfo: [{ns: 'shop.orders'}, {ns: 'shop.users'}, {ns: 'config.x'}], $db: 'admin'}")));
    }

    private static Verdict decide(String policy, String... ops) {
        CommandView command = bulkWrite(ops);
        Route route = new KeyRouter().route(command, CATALOG, new RouterRelease(8, 0));
        return policy(policy).decide(command, route, CLIENT, NOW);
    }

    /** Whichever op is the worst: several alike, the first of them. */
    @ParameterizedTest
    @CsvSource({"shop.orders, 0", "shop.users, 1"})
    void aRuleSeesEachOpsOwnCollection(String namespace, int statement) {
        Verdict verdict = decide(
                LENIENT + "rules: [{name: r, match: {namespace: " + namespace + "}, action: refuse}]",
                BROADCAST_ORDERS,
                BROADCAST_USERS);

        assertThat(text(verdict)).isEqualTo("refuse/rule[r]");
        assertThat(verdict.statement()).isEqualTo(statement);
    }

    @Test
    void aRuleOnOneCollectionIsNotMetByAnothersBroadcast() {
        String rule = LENIENT + "rules: [{name: r, match: {namespace: shop.users}, action: refuse}]";

        assertThat(text(decide(rule, BROADCAST_ORDERS, POINT_USERS))).isEqualTo("allow/default");
        assertThat(text(decide(rule, POINT_ORDERS, POINT_USERS, BROADCAST_USERS)))
                .isEqualTo("refuse/rule[r]");
        String point =
                LENIENT + "rules: [{name: p, match: {namespace: shop.users, shape: singleShard}, action: refuse}]";
        assertThat(text(decide(point, BROADCAST_ORDERS, POINT_ORDERS))).isEqualTo("allow/default");
        assertThat(decide(point, BROADCAST_ORDERS, POINT_ORDERS, POINT_USERS).statement())
                .isEqualTo(2);
    }

    @Test
    void anExemptionLiftsOnlyTheOpsItMatches() {
        String exempting = STRICT + "exemptions: [{id: e, match: {namespace: shop.orders}}]";

        assertThat(text(decide(exempting, BROADCAST_ORDERS, POINT_USERS))).isEqualTo("allow/exempted(e)");
        Verdict verdict = decide(exempting, BROADCAST_ORDERS, BROADCAST_USERS);
        assertThat(text(verdict)).isEqualTo("refuse/default");
        assertThat(verdict.statement()).isEqualTo(1);
        assertThat(text(decide(
                        STRICT + "exemptions: [{id: e, match: {namespace: \"shop.*\"}}]",
                        BROADCAST_ORDERS,
                        BROADCAST_USERS)))
                .isEqualTo("allow/exempted(e)");
    }

    @Test
    void whatIsLeftMayBeMilder() {
        String policy = "mode: enforce, default: {writes: log}, rules: [{name: r, match: {namespace: shop.orders},"
                + " action: refuse}], exemptions: [{id: e, match: {namespace: shop.orders}}]";

        assertThat(text(decide(policy, BROADCAST_ORDERS, BROADCAST_USERS))).isEqualTo("log/default");
        assertThat(text(decide(policy, BROADCAST_ORDERS))).isEqualTo("allow/exempted[r](e)");
    }

    /** Never judged, wherever it stands; and no cover for what stands beside it. */
    @Test
    void aServersOwnDatabaseIsLeftAlone() {
        String config = "{delete: 2, filter: {}, multi: true}";

        assertThat(text(decide(STRICT, config))).isEqualTo("allow/neverRefused");
        assertThat(decide(STRICT, config, BROADCAST_USERS).statement()).isEqualTo(1);
        assertThat(text(decide(STRICT, POINT_ORDERS, config))).isEqualTo("allow/default");
    }

    @Test
    void aRouteIsAboutTheStatementThatIsAskedFor() {
        Route route =
                new KeyRouter().route(bulkWrite(BROADCAST_ORDERS, BROADCAST_USERS), CATALOG, new RouterRelease(8, 0));

        assertThat(route.namespace()).hasToString("shop.orders");
        assertThat(route.about(1).namespace()).hasToString("shop.users");
        assertThat(route.about(1).table()).isSameAs(CATALOG.table(Namespace.parse("shop.users")));
        assertThat(route.about(0).table()).isSameAs(CATALOG.table(Namespace.parse("shop.orders")));
        assertThat(route.namespaceOf(1)).hasToString("shop.users");
    }
}
