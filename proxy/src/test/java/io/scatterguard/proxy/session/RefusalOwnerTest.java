package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.routing.KeyRouter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A refusal says whose rule it was and why there is one. */
class RefusalOwnerTest {
    private static final CatalogSnapshot CATALOG = new CatalogSnapshot(
            Instant.EPOCH,
            true,
            ShardRegistry.empty().withRegistered(List.of("shard-a")),
            Map.of("shop", 0),
            Map.of(
                    Namespace.parse("shop.refused"), ShardedCollection.of("shop.refused", "{day: 1}"),
                    Namespace.parse("shop.other"), ShardedCollection.of("shop.other", "{hour: 1}")));

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static BsonDocument refusal(String terms) {
        return refusals("refuse" + terms, 1);
    }

    private static BsonDocument refusals(String action, int requests) {
        return refusals(action, requests, "{find: 'refused', filter: {x: 1}, $db: 'shop'}");
    }

    private static BsonDocument refusals(String action, int requests, String request) {
        return refusals(action, requests, request, "full");
    }

    private static BsonDocument refusals(String action, int requests, String request, String detail) {
        SessionFixture fixture = SessionFixture.connected();
        fixture.router = (command, catalog, release) -> new KeyRouter().route(command, CATALOG, release);
        fixture.policy = CompiledPolicy.compile(
                ConfigReader.read(
                                "listeners: [{upstream: {hosts: [a]}}]\npolicy: {mode: enforce, refusalDetail: "
                                        + detail + ", rules: [{name: no-scans,"
                                        + " match: {certainty: any, namespace: shop.refused}, action: " + action
                                        + "}]}",
                                Map.of())
                        .policy(),
                1);
        for (int id = 1; id < requests; id++) {
            fixture.request(id, request);
            fixture.reply(100 + id, id, 0, "{ok: 1}");
        }
        fixture.request(requests, request);
        return fixture.lastReply();
    }

    @Test
    void itSaysBoth() {
        BsonDocument refusal = refusal(", reason: scans cost a minute, owner: orders-team");
        BsonDocument details = refusal.getDocument("scatterguard");

        assertThat(refusal.getString("errmsg").getValue())
                .contains(" by rule no-scans (scans cost a minute; ask orders-team): ");
        assertThat(details.getString("owner").getValue()).isEqualTo("orders-team");
        assertThat(details.getString("ruleReason").getValue()).isEqualTo("scans cost a minute");
    }

    /** What a rule says about itself may say more about the cluster than a name. */
    @Test
    void ofNamesOnlyItSaysNeither() {
        BsonDocument refusal = refusals(
                "throttle, rate: 2/h, reason: scans cost a minute, owner: orders-team",
                3,
                "{find: 'refused', filter: {x: 1}, $db: 'shop'}",
                "namesOnly");

        assertThat(refusal.getString("errmsg").getValue())
                .contains(" by rule no-scans (above its rate): it leaves out")
                .doesNotContain("minute", "orders-team");
        assertThat(refusal.getDocument("scatterguard").keySet()).containsExactly("namespace", "missing", "rule");
    }

    @Test
    void itSaysNothingWhereTheRuleDoesNot() {
        BsonDocument refusal = refusal("");

        assertThat(refusal.getString("errmsg").getValue()).contains(" by rule no-scans: ");
        assertThat(refusal.getDocument("scatterguard")).doesNotContainKeys("owner", "ruleReason");
        assertThat(refusal(", owner: a").getString("errmsg").getValue()).contains(" by rule no-scans (ask a): ");
    }

    @Test
    void aThrottleSaysThatThereWereTooMany() {
        BsonDocument refusal = refusals("throttle, rate: 2/h, owner: a", 3);

        assertThat(refusal.getString("errmsg").getValue()).contains(" by rule no-scans (above its rate; ask a): ");
        assertThat(refusal.getDocument("scatterguard").getString("reason").getValue())
                .isEqualTo("throttled");
    }

    /** Though the other collection's op is as bad and comes first. */
    @Test
    void aRefusedBulkWriteIsAboutTheOpThatIsRefused() {
        BsonDocument refusal = refusals(
                "refuse",
                1,
                "{bulkWrite: 1, ops: [{delete: 0, filter: {x: 1}, multi: true}, {delete: 1, filter: {x: 1}, multi: true}],"
                        + " nsInfo: [{ns: 'shop.other'}, {ns: 'shop.refused'}], $db: 'admin'}");
        BsonDocument details = refusal.getDocument("scatterguard");

        assertThat(refusal.getString("errmsg").getValue())
                .contains("refused bulkWrite on shop.refused")
                .contains("day")
                .doesNotContain("hour");
        assertThat(details.getString("namespace").getValue()).isEqualTo("shop.refused");
        assertThat(details.getString("shardKey").getValue()).isEqualTo("{day: 1}");
        assertThat(details.getInt32("statement").getValue()).isEqualTo(1);
    }
}
