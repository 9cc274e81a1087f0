package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who looks how a query runs must not use up the rate of the application that runs it. */
class ExplainTakesNothingTest {
    private static final CatalogSnapshot CATALOG = new CatalogSnapshot(
            Instant.EPOCH,
            true,
            ShardRegistry.empty().withRegistered(List.of("shard-a", "shard-b")),
            Map.of("shop", 0),
            Map.of(Namespace.parse("shop.c"), ShardedCollection.of("shop.c", "{day: 1}")));
    private static final String FIND = "find: 'c', filter: {x: 1}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void ofAThrottle() {
        SessionFixture f = SessionFixture.connected();
        f.router = (command, catalog, release) -> new KeyRouter().route(command, CATALOG, release);
        String yaml =
                "listeners: [{upstream: {hosts: [a]}}]\npolicy: {mode: enforce, rules: [{name: few, match: {certainty:"
                        + " any}, action: throttle, rate: 1/h}]}\n";
        f.policy = CompiledPolicy.compile(ConfigReader.read(yaml, Map.of()).policy(), 1);
        for (int id = 1; id <= 3; id++) {
            f.request(id, "{explain: {" + FIND + "}, $db: 'shop'}");
            f.reply(100 + id, id, 0, "{ok: 1.0}");
            assertThat(explained(f).action().text()).isEqualTo("log");
        }
        f.request(4, "{" + FIND + ", $db: 'shop'}");
        f.request(5, "{" + FIND + ", $db: 'shop'}");
        f.reply(104, 4, 0, "{ok: 1.0}");
        f.request(6, "{explain: {" + FIND + "}, $db: 'shop'}");

        assertThat(f.server.requestIds()).as("one find is within the rate").containsExactly(1, 2, 3, 4, 6);
        assertThat(explained(f).reason()).isEqualTo("throttled");
    }

    private static Verdict explained(SessionFixture f) {
        Verdict explained = f.verdicts.get(f.verdicts.size() - 1).explained();
        assertThat(explained).isNotNull();
        return explained;
    }
}
