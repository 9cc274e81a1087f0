package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardRegistry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is in a catalog, for people. */
final class CatalogSummary {
    private final CatalogSnapshot catalog;
    private final StringBuilder text = new StringBuilder();

    private CatalogSummary(CatalogSnapshot catalog) {
        this.catalog = catalog;
    }

    /** One line: {@code 3 shards, 1 database, 4 collections, 29 chunks, 0 tags}. */
    static String counts(RawCatalog raw) {
        return count(raw.shards().size(), "shard") + ", "
                + count(raw.databases().size(), "database") + ", "
                + count(raw.collections().size(), "collection") + ", "
                + count(raw.chunks().size(), "chunk") + ", " + count(raw.tags().size(), "tag");
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    static String of(RawCatalog raw, CatalogLoad load, List<CatalogProblem> problems) {
        CatalogSummary summary = new CatalogSummary(load.snapshot());
        summary.text.append(counts(raw)).append('\n');
        summary.shards();
        summary.databases();
        summary.collections();
        for (CatalogProblem problem : problems) {
            summary.line("problem: " + problem.subject() + ": " + problem.message());
        }
        return summary.text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void shards() {
        ShardRegistry registry = catalog.registry();
        line("shards: " + String.join(", ", registry.names(registry.registered())));
    }

    private void databases() {
        new TreeMap<>(catalog.primaries())
                .forEach((database, primary) -> line("database " + database + ": primary "
                        + catalog.registry().ids().get(primary)));
    }

    private void collections() {
        catalog.tables().entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Namespace, RoutingTable> entry) ->
                        entry.getKey().fullName()))
                .forEach(entry -> collection(entry.getKey(), entry.getValue()));
    }

    private void collection(Namespace namespace, RoutingTable table) {
        String what = table.collection().unsplittable() ? "not sharded" : "sharded by " + table.shardKey();
        line("collection " + namespace + ": " + what);
        line("  " + count(table.chunkCount(), "chunk") + " on "
                + String.join(", ", catalog.registry().names(table.owningShards())) + ", version " + table.version());
    }
}
