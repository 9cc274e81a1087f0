package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogRules;
import io.scatterguard.proxy.catalog.CatalogRules.Imported;
import io.scatterguard.proxy.catalog.CatalogRules.Placement;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.RulesWriter;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * A cluster imported as a rules file, which stands alone then: 10,000 random commands get the shapes and the verdicts that the live
 * catalog gives them, and with its chunks the same routes to the last shard.
 */
class ImportedRulesTest {
    private static final long SEED = 20_261_203;
    private static final int CLUSTERS = 250;
    private static final int COMMANDS = 40;

    private static final List<CompiledPolicy> POLICIES =
            List.of(policy("{mode: enforce, default: {reads: refuse, writes: refuse}}"), policy("""
                    {mode: enforce, default: {reads: log, writes: refuse}, rules: [
                      {name: views, match: {namespace: "test.v", shape: scatterGather}, action: refuse},
                      {name: wide, match: {namespace: "test.*", commands: [find, aggregate], shape: [multiShard, scatterGather], certainty: exact}, action: refuse},
                      {name: some, match: {namespace: "test.c", shape: multiShard, certainty: any}, action: refuse}]}"""));

    /** What a router says of a write of one document whose filter reaches several shards. */
    private static final List<PredictedError> ON_SEVERAL =
            List.of(PredictedError.INVALID_OPTIONS, PredictedError.SHARD_KEY_NOT_FOUND);

    private final KeyRouter router = new KeyRouter();
    private final Map<String, Integer> seen = new HashMap<>();

    private static CompiledPolicy policy(String policy) {
        String yaml =
                "listeners: [{bind: '127.0.0.1:0', upstream: {kind: mongos, hosts: ['127.0.0.1:27017']}}]\npolicy: "
                        + policy;
        return CompiledPolicy.compile(ConfigReader.read(yaml, Map.of()).policy(), 1);
    }

    /** A command over both catalogs, and what is said of it if something differs. */
    private record Pair(String what, CommandView command, Route live, Route imported) {}

    @Test
    void withItsChunksEveryRouteAndVerdictIsThatOfTheCluster() throws IOException {
        for (Pair pair : pairs(new Placement(true, null))) {
            assertThat(described(pair.imported())).as(pair.what()).isEqualTo(described(pair.live()));
            for (CompiledPolicy policy : POLICIES) {
                Verdict verdict = verdict(policy, pair, pair.live());
                assertThat(verdict(policy, pair, pair.imported()))
                        .as(pair.what())
                        .isEqualTo(verdict);
                count("verdict " + verdict.action());
            }
            Shape shape = pair.live().shape();
            count("kind " + pair.live().kind());
            count("shape " + shape);
            count("placement " + pair.live().placement());
            count("release " + pair.live().release());
            count("command " + pair.command().name());
        }
        assertThat(seen).containsKeys("verdict REFUSE", "verdict LOG", "kind INTRINSIC", "kind NOT_ROUTED");
        assertThat(seen.entrySet())
                .filteredOn(entry -> entry.getKey().matches("(shape|placement|release) .*"))
                .hasSize(4 + 4 + 4)
                .allSatisfy(
                        entry -> assertThat(entry.getValue()).as(entry.getKey()).isGreaterThan(100));
    }

    @Test
    void withoutItsChunksEveryShapeAndVerdictIsThatOfTheCluster() throws IOException {
        for (Pair pair : pairs(new Placement(false, null))) {
            assertThat(pair.imported().kind())
                    .as(pair.what())
                    .isEqualTo(pair.live().kind());
            assertThat(pair.imported().shape())
                    .as(pair.what())
                    .isEqualTo(pair.live().shape());
            List<StatementRoute> live = pair.live().statements();
            List<StatementRoute> imported = pair.imported().statements();
            assertThat(imported).as(pair.what()).hasSameSizeAs(live);
            for (int i = 0; i < live.size(); i++) {
                assertThat(imported.get(i).shape())
                        .as(pair.what())
                        .isEqualTo(live.get(i).shape());
                certainty(pair, live.get(i), imported.get(i));
                error(pair, live.get(i), imported.get(i));
            }
            for (CompiledPolicy policy : POLICIES) {
                assertThat(decision(verdict(policy, pair, pair.imported())))
                        .as(pair.what())
                        .isEqualTo(decision(verdict(policy, pair, pair.live())));
            }
        }
        assertThat(seen)
                .hasSize(3)
                .allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
    }

    /** Of a batch, the statement that reaches most shards is named: that is no part of what is decided. */
    private static List<Object> decision(Verdict verdict) {
        return Arrays.asList(
                verdict.action(), verdict.wouldRefuse(), verdict.rule(), verdict.exemption(), verdict.reason());
    }

    /**
     * The same, but for the one case in which two rules of a router are possible and only the chunks tell that it makes no
     * difference: a write to a time-series collection of which it is not settled whether its time counts.
     */
    private void certainty(Pair pair, StatementRoute live, StatementRoute imported) {
        if (imported.certainty() == live.certainty()) {
            return;
        }
        assertThat(isTimeseriesWrite(pair)).as(pair.what()).isTrue();
        assertThat(live.certainty()).as(pair.what()).isEqualTo(Certainty.EXACT);
        assertThat(live.shape()).as(pair.what()).isNotEqualTo(Shape.SCATTER_GATHER);
        count("certainty of " + (pair.command().name().equals("insert") ? "an insert" : "a write of many"));
    }

    private static boolean isTimeseriesWrite(Pair pair) {
        RoutingTable table = pair.imported().table();
        return table != null
                && !table.boundsKnown()
                && table.collection().timeseriesFields() != null
                && List.of("insert", "update", "delete", "bulkWrite")
                        .contains(pair.command().name());
    }

    /** The same, but for what fails because the chunks that the filter reaches are on several shards. */
    private void error(Pair pair, StatementRoute live, StatementRoute imported) {
        if (imported.error() == live.error()) {
            return;
        }
        assertThat(live.error()).as(pair.what()).isIn(ON_SEVERAL);
        assertThat(live.shape()).as(pair.what()).isIn(Shape.MULTI_SHARD, Shape.SINGLE_SHARD);
        assertThat(imported.error()).as(pair.what()).isNull();
        assertThat(pair.imported().table())
                .as(pair.what())
                .matches(table -> table != null && !table.boundsKnown(), "bounds unknown");
        assertThat(pair.imported().release()).as(pair.what()).isLessThan(new RouterRelease(7, 0));
        count("error");
    }

    private List<Pair> pairs(Placement placement) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        for (int number = 0; number < CLUSTERS; number++) {
            Dice dice = new Dice(SEED, number);
            LayoutGenerator layouts = new LayoutGenerator(dice);
            Layout layout = layouts.layout(false, LayoutGenerator.collation(dice));
            ImportedCluster cluster = ImportedCluster.of(dice, layout);
            CatalogSnapshot live = cluster.live();
            RouterRelease release = RouterRelease.parse(cluster.release().number());
            String file = file(cluster, placement);
            CatalogSnapshot alone = alone(file, release);
            CommandGenerator commands = new CommandGenerator(
                    dice,
                    new FilterGenerator(dice, layout, layouts.values(), false),
                    new DocumentGenerator(dice, layout, layouts.values()));
            for (int i = 0; i < COMMANDS; i++) {
                BsonDocument command = commands.command(release.major() >= 8);
                CommandView view = CommandView.of(command.getString("$db").getValue(), BsonView.encode(command));
                String what = "seed %d, cluster %d, %s: %s over %s".formatted(SEED, number, release, command, file);
                pairs.add(new Pair(what, view, router.route(view, live, release), router.route(view, alone, release)));
            }
        }
        return pairs;
    }

    private static String file(ImportedCluster cluster, Placement placement) throws IOException {
        Imported imported = CatalogRules.of(cluster.raw(), namespace -> true, placement);
        assertThat(imported.problems()).isEmpty();
        StringWriter text = new StringWriter();
        RulesWriter writer = new RulesWriter(text, List.of("of " + cluster.release()));
        for (ShardingRule rule : imported.rules()) {
            writer.rule(rule, List.of());
        }
        writer.end();
        return text.toString();
    }

    private static CatalogSnapshot alone(String file, RouterRelease release) {
        return new DeclaredCatalog(
                        RulesFile.parse(file, "rules.yaml"), DeclaredLayout.of(release.major(), release.minor()))
                .apply(CatalogLoad.ofNothing(Instant.EPOCH).snapshot());
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    private static Verdict verdict(CompiledPolicy policy, Pair pair, Route route) {
        return policy.decide(pair.command(), route, ClientInfo.of("10.0.0.1:5000"), Instant.EPOCH);
    }

    private static List<String> described(Route route) {
        List<String> described = new ArrayList<>();
        described.add(route.kind() + " " + route.namespace() + " " + route.shape() + " " + route.placement() + " "
                + route.certainty() + " " + names(route, route.shards()) + " " + names(route, route.contacted())
                + " of "
                + route.shardTotal() + " "
                + (route.table() == null ? "-" : route.table().shardKey()));
        for (StatementRoute statement : route.statements()) {
            described.add(statement.shape() + " " + statement.placement() + " " + statement.certainty() + " "
                    + names(route, statement.shards()) + " " + statement.pointFields() + " "
                    + statement.rangeFields() + " " + statement.reason() + " " + Objects.toString(statement.error()));
        }
        return described;
    }

    private static List<String> names(Route route, ShardSet shards) {
        return route.registry().names(shards);
    }
}
