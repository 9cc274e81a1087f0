package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.explain.ExplanationJson;
import io.scatterguard.proxy.explain.ExplanationText;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.KeyLookup;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.StatementExplanation;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** An explanation never contradicts the route: the chunks that it shows are on the shards of the route. */
class ExplanationAgreesTest {
    private static final List<RouterRelease> RELEASES = List.of(
            new RouterRelease(4, 4),
            new RouterRelease(6, 3),
            new RouterRelease(7, 0),
            new RouterRelease(8, 0),
            new RouterRelease(9, 0));

    @TestFactory
    Stream<DynamicTest> onEveryTargetingVectorAndRelease() {
        return Lines.of("targeting-from-tests.jsonl").stream().map(line -> {
            String id = BsonDocument.parse(line).getString("id").getValue();
            return DynamicTest.dynamicTest(id, () -> {
                for (RouterRelease release : RELEASES) {
                    agrees(line, release);
                }
            });
        });
    }

    /** In its transaction if it is in one. */
    private static CommandView command(BsonDocument vector) {
        BsonDocument command = vector.getDocument("command").clone();
        if (vector.getBoolean("inTransaction", BsonBoolean.FALSE).getValue()) {
            command.append("txnNumber", new BsonInt64(1)).append("autocommit", BsonBoolean.FALSE);
        }
        BsonString database = command.getString("$db", new BsonString(VectorCatalog.DATABASE));
        return CommandView.of(database.getValue(), BsonView.encode(command));
    }

    private static void agrees(String vector, RouterRelease release) {
        CommandView command = command(BsonDocument.parse(vector));
        CatalogSnapshot catalog = VectorCatalog.of(vector);
        Route route = new KeyRouter().route(command, catalog, release);
        Explanation explanation = Explanation.of(command, catalog, release);
        assertThat(explanation.route()).isEqualTo(route);
        assertThat(explanation.statements()).hasSameSizeAs(route.statements());
        for (StatementExplanation statement : explanation.statements()) {
            assertThat(statement.route().worst()).isEqualTo(route.statements().get(statement.index()));
            agrees(statement, route.registry().registered());
        }
        assertThat(ExplanationText.of(explanation, List.of()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(BsonDocument.parse(ExplanationJson.of(explanation, List.of()))
                        .getArray("statements"))
                .hasSameSizeAs(route.statements());
    }

    private static void agrees(StatementExplanation statement, ShardSet registered) {
        StatementRoute route = statement.route().worst();
        String where = statement.route() + " by " + statement.lookups();
        if (statement.lookups().isEmpty()) {
            assertThat(route.reason())
                    .as(where)
                    .isIn(
                            Reason.NOT_ROUTED,
                            Reason.INTRINSIC,
                            Reason.UNSHARDED,
                            Reason.NOT_UNDERSTOOD,
                            Reason.AMBIGUOUS,
                            Reason.CATALOG_UNKNOWN,
                            Reason.PREDICTED_ERROR);
            return;
        }
        KeyLookup last = statement.lookups().get(statement.lookups().size() - 1);
        switch (route.reason()) {
            case PREDICTED_ERROR ->
                assertThat(route.shards().isEmpty()).as(where).isTrue();
            case EXACT_ID_BROADCAST, WRITE_BROADCAST -> {
                boolean direct = route.shards().equals(last.shards());
                assertThat(direct || route.shards().containsAll(registered))
                        .as(where)
                        .isTrue();
                assertThat(route.shards().containsAll(last.shards())).as(where).isTrue();
            }
            default -> {
                if (route.certainty() == Certainty.EXACT) {
                    assertThat(last.shards()).as(where).isEqualTo(route.shards());
                } else {
                    assertThat(route.shards().containsAll(last.shards()))
                            .as(where)
                            .isTrue();
                }
            }
        }
        assertThat(last.chunkCount())
                .isEqualTo(last.chunksByShard().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
    }

    private static final String COLLECTION = """
            {shardKey: {a: 1}, chunks: [
              {min: {a: {$minKey: 1}}, max: {a: 100}, shard: "x"},
              {min: {a: 100}, max: {a: {$maxKey: 1}}, shard: "y"}]}""";

    private static Explanation explained(BsonDocument command) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(command));
        return Explanation.of(view, VectorCatalog.of(COLLECTION), new RouterRelease(8, 0));
    }

    @Test
    void ofALargeBatchTheFirstStatementsAndTheWorstAreExplained() {
        BsonArray documents = new BsonArray();
        IntStream.range(0, 500)
                .forEach(i -> documents.add(new BsonDocument("q", new BsonDocument("a", new BsonInt32(i)))
                        .append("limit", new BsonInt32(0))));
        documents.set(321, BsonDocument.parse("{q: {b: 1}, limit: 0}"));
        Explanation explanation =
                explained(new BsonDocument("delete", new BsonString("c")).append("deletes", documents));

        assertThat(explanation.statements())
                .extracting(StatementExplanation::index)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 321);
        assertThat(explanation.statements().get(9).lookups().get(0).outcome()).isEqualTo(KeyLookup.Outcome.EVERYTHING);
        assertThat(explanation
                        .statements()
                        .get(1)
                        .lookups()
                        .get(0)
                        .chunks()
                        .get(0)
                        .shard())
                .isEqualTo("x");
        assertThat(ExplanationText.of(explanation, List.of())).contains("490 more statements are not shown.");
    }

    @Test
    void whatIsLongIsCutAndCounted() {
        BsonArray values = new BsonArray();
        IntStream.range(0, 5_000).forEach(i -> values.add(new BsonInt32(2 * i)));
        BsonDocument filter = new BsonDocument("a", new BsonDocument("$in", values));
        Explanation explanation = explained(new BsonDocument("find", new BsonString("c")).append("filter", filter));
        KeyLookup lookup = explanation.statements().get(0).lookups().get(0);

        assertThat(lookup.fields().get(0).intervals()).hasSize(10);
        assertThat(lookup.fields().get(0).intervalCount()).isEqualTo(5_000);
        assertThat(lookup.ranges()).hasSize(10);
        assertThat(lookup.rangeCount())
                .as("also those after every shard was reached")
                .isEqualTo(5_000);
        assertThat(ExplanationText.of(explanation, List.of()))
                .contains("one of 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 4990 more");
    }

    @Test
    void aLongValueIsCutToTheLine() {
        BsonDocument filter = new BsonDocument("a", new BsonString("x\u001b[31m".repeat(10_000)));
        Explanation explanation = explained(new BsonDocument("find", new BsonString("c")).append("filter", filter));
        assertThat(ExplanationText.of(explanation, List.of()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(250).doesNotContain("\u001b"));
    }

    @Test
    void anArrayOnThePathOfTheKeyIsAnErrorWithoutALook() {
        Explanation explanation = explained(BsonDocument.parse("{insert: 'c', documents: [{a: [1]}]}"));
        assertThat(explanation.statements().get(0).lookups()).isEmpty();
        assertThat(ExplanationText.of(explanation, List.of()))
                .startsWith("insert on test.c: error ShardKeyNotFound (61)");
    }
}
