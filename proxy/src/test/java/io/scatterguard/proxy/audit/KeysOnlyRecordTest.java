package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.KeysOnlyCatalog;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a collection of which only the key was read, a record names no shard and no placement. */
class KeysOnlyRecordTest {
    private static final AuditEvent.Stamp STAMP = new AuditEvent.Stamp(7, Given.NOW, "staging-eu", "proxy-1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'orders', filter: {a: 1}}",
                "{find: 'orders', filter: {b: 1}}",
                "{find: 'moved', filter: {b: 1}}",
                "{aggregate: 'orders', pipeline: [{$lookup: {from: 'moved', as: 'x', pipeline: []}}]}",
                "{insert: 'orders', documents: [{a: 1}, {a: 2}]}"
            })
    void noShardIsNamed(String command) {
        CommandView view = CommandView.of("shop", BsonView.encode(BsonDocument.parse(command)));
        Route route = new KeyRouter().route(view, KeysOnlyCatalog.snapshot(), RouterRelease.parse("8.0"));
        AuditEvent event = new AuditEvent(
                STAMP,
                Given.SOURCE,
                new AuditEvent.Subject(
                        Namespace.parse("shop.orders"), "find", null, new QueryShape("find {}", "0123456789abcdef")),
                RecordedRoute.of(route, "", List.of(), null),
                Given.LOGGED,
                Given.ANSWERED);

        BsonDocument recorded = BsonDocument.parse(new String(new JsonLines().event(event), StandardCharsets.UTF_8))
                .getDocument("route");

        assertThat(recorded).doesNotContainKeys("shards", "shardCount", "placement", "contacted", "tableVersion");
        assertThat(recorded.toJson()).doesNotContain("shard-a").doesNotContain("shard-b");
        assertThat(recorded).containsKey("shardTotal");
    }
}
