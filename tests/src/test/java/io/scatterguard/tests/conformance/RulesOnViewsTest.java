package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A view is no way around a rule on the collection that it reads. */
class RulesOnViewsTest {
    private static Route route(String command) {
        return new KeyRouter().route(view(command), ViewRoutesTest.CATALOG, new RouterRelease(6, 3));
    }

    private static CommandView view(String command) {
        return CommandView.of("test", BsonView.encode(BsonDocument.parse(command)));
    }

    private static Verdict verdict(String namespace, String command) {
        String yaml = """
                listeners: [{ bind: "127.0.0.1:27100", upstream: { kind: mongos, hosts: ["127.0.0.1:27017"] } }]
                policy:
                  mode: enforce
                  rules:
                    - { name: no-broadcast, match: { namespace: "%s", shape: scatterGather }, action: refuse }
                """.formatted(namespace);
        CompiledPolicy policy =
                CompiledPolicy.compile(ConfigReader.read(yaml, Map.of()).policy(), 1);
        return policy.decide(view(command), route(command), ClientInfo.of("10.0.0.1:5000"), Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "test.c     | {find: 'all', filter: {}}                    | true",
                "test.all   | {find: 'all', filter: {}}                    | true",
                "test.low   | {aggregate: 'limited', pipeline: []}         | false",
                "test.c     | {aggregate: 'limited', pipeline: []}         | true",
                "test.c     | {find: 'five', filter: {b: 1}}               | false",
                "test.other | {find: 'all', filter: {}}                    | false",
                "test.c     | {find: 'ofPlain', filter: {}}                | false",
            })
    void aRuleIsMatchedByTheViewAndByWhatItReads(String namespace, String command, boolean refused) {
        assertThat(verdict(namespace, command).refused()).isEqualTo(refused);
    }

    @Test
    void theProseNamesTheCollectionOfTheKey() {
        assertThat(RouteText.why(route("{find: 'all', filter: {b: 1}}")))
                .contains("the shard key {a: 1} of test.c, which the view reads");
        assertThat(route("{find: 'c', filter: {b: 1}}").viewOn()).isNull();
        assertThat(route("{find: 'series', filter: {x: 1}}").viewOn()).isNull();
    }
}
