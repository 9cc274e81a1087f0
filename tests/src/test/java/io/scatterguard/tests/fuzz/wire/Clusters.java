package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.explain.ExplanationJson;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A few small clusters, and everything that the proxy says of a command on each of them, as text. */
final class Clusters {
    /** Far above what a small command needs, and a quarter of what {@code docs/architecture.md} promises for any. */
    private static final long MAX_ALLOCATED_BYTES = 16L * 1024 * 1024;

    private static final String BOUNDS = "chunks: [{min: {%1$s}, max: {%2$s}, shard: 'x'}, "
            + "{min: {%2$s}, max: {%3$s}, shard: 'y'}, {min: {%3$s}, max: {%4$s}, shard: 'z'}]";

    private static final List<CatalogSnapshot> CATALOGS = List.of(
            catalog("shardKey: {a: 1}", "a: {$minKey: 1}", "a: 0", "a: 'm'", "a: {$maxKey: 1}"),
            catalog(
                    "shardKey: {a: 1, b: 1}, collation: {locale: 'en'}",
                    "a: {$minKey: 1}, b: {$minKey: 1}",
                    "a: 0, b: 0",
                    "a: 100, b: 'm'",
                    "a: {$maxKey: 1}, b: {$maxKey: 1}"),
            catalog(
                    "shardKey: {a: 'hashed', 'b.c': 1}",
                    "a: {$minKey: 1}, 'b.c': {$minKey: 1}",
                    "a: {$numberLong: '-3'}, 'b.c': 0",
                    "a: {$numberLong: '4611686018427387902'}, 'b.c': 7",
                    "a: {$maxKey: 1}, 'b.c': {$maxKey: 1}"));

    private static final List<RouterRelease> RELEASES =
            List.of(new RouterRelease(6, 3), new RouterRelease(8, 0), new RouterRelease(9, 0));

    private static final CompiledPolicy POLICY =
            CompiledPolicy.compile(ConfigReader.read("""
                            listeners: [{upstream: {hosts: [a]}}]
                            policy:
                              mode: enforce
                              rules:
                                - { name: reads, match: { namespace: "test.*", commands: [find, aggregate], shape: scatterGather }, action: refuse, exemptible: true }
                                - { name: several, match: { namespace: "*.c", shape: multiShard }, action: log }
                              exemptions: [ { id: nightly, owner: tests } ]
                            """, Map.of()).policy(), 1);
    private static final ClientInfo CLIENT = ClientInfo.of("10.0.0.1:5000");
    private static final Instant NOW = Instant.parse("2026-12-15T12:00:00Z");

    private Clusters() {}

    private static CatalogSnapshot catalog(String key, String min, String first, String second, String max) {
        return VectorCatalog.of("{" + key + ", " + BOUNDS.formatted(min, first, second, max) + "}");
    }

    /**
     * What is said of {@code command}, which is borrowed, on one of the clusters and every release. A text for bytes that are
     * not BSON as well: nothing but {@link MalformedBsonException} may come of them.
     *
     * @param cluster any number; it chooses the cluster
     */
    static String allSaidOf(CommandView command, int cluster) {
        CatalogSnapshot catalog = CATALOGS.get(Math.floorMod(cluster, CATALOGS.size()));
        StringBuilder text = new StringBuilder(orMalformed(() -> shape(command)));
        for (RouterRelease release : RELEASES) {
            text.append('\n').append(orMalformed(() -> judged(command, catalog, release)));
        }
        RouterRelease release = RELEASES.get(Math.floorMod(cluster / CATALOGS.size(), RELEASES.size()));
        return text.append('\n')
                .append(orMalformed(() -> ExplanationJson.of(Explanation.of(command, catalog, release), List.of())))
                .toString();
    }

    private static String shape(CommandView command) {
        QueryShape shape = QueryShapes.of(command);
        Framing.require(shape.text().length() <= QueryShape.MAX_TEXT_CHARS, "a short text", shape.text());
        return shape.toString();
    }

    private static String judged(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        Route route = new KeyRouter().route(command, catalog, release);
        WouldFail wouldFail = new Rehearsal(new KeyRouter(), true).wouldFail(command, route, catalog);
        Verdict verdict = POLICY.decide(command, route, wouldFail, CLIENT, NOW);
        Allocated.requireLessThan(MAX_ALLOCATED_BYTES, () -> new KeyRouter().route(command, catalog, release));
        if (route.certainty() == Certainty.UPPER_BOUND) {
            boolean failing = verdict.reason().equals(Reasons.WOULD_FAIL);
            Framing.require(
                    !verdict.refused() || verdict.rule() != null || failing, "no refusal of an upper bound", verdict);
        }
        return text(route) + " " + verdict + " " + wouldFail;
    }

    private static String text(Route route) {
        StringBuilder text = new StringBuilder();
        text.append(route.kind())
                .append(' ')
                .append(route.namespace())
                .append(' ')
                .append(route.placement());
        text.append(route.registry().names(route.shards())).append('+');
        text.append(route.registry().names(route.contacted()));
        for (StatementRoute statement : route.statements()) {
            text.append(' ')
                    .append(statement.placement())
                    .append(statement.shape())
                    .append(statement.certainty());
            text.append(route.registry().names(statement.shards())).append(statement.reason());
        }
        return text.toString();
    }

    private static String orMalformed(Supplier<String> text) {
        try {
            return text.get();
        } catch (MalformedBsonException e) {
            return "malformed: " + e.getMessage();
        }
    }
}
