package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.session.CommandMeter;
import io.scatterguard.proxy.session.Judgement;
import io.scatterguard.tests.support.MemoryFigures;
import io.scatterguard.tests.support.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** S27 (mongodb_exporter #746): 100,000 distinct query shapes and namespaces, and the labels of the metrics stay few. */
class S27BoundedLabelsTest {
    private static final int NAMESPACES = 100_000;
    private static final long MAX_HEAP_BYTES = 16L << 20;

    private final ProxyMetrics metrics = new ProxyMetrics(
            "s27", 50, (route, client) -> "team-" + route.namespace().collection());
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    @Test
    void theSeriesStayWithinTheDocumentedBound() throws IOException {
        long before = MemoryFigures.of(allocator).heapBytes();
        for (int i = 0; i < NAMESPACES; i++) {
            measure(i);
        }
        long grown = MemoryFigures.of(allocator).heapBytes() - before;
        List<String> series = series();
        System.out.printf(
                "S27: %,d namespaces, shapes and owners: %,d series, %,d KiB of heap%n",
                NAMESPACES, series.size(), grown >> 10);

        assertThat(series.size()).isBetween(300, documentedBound());
        assertThat(grown).isLessThan(MAX_HEAP_BYTES);
        assertThat(series.stream()
                        .filter(line -> line.startsWith("scatterguard_findings_total{"))
                        .mapToDouble(S27BoundedLabelsTest::value)
                        .sum())
                .as("every finding is counted, if only under other")
                .isEqualTo(NAMESPACES);
        assertThat(labels(series, "namespace")).hasSizeBetween(2, 51).contains("other");
        assertThat(labels(series, "owner")).hasSizeBetween(2, 52).contains("other");
    }

    private void measure(int i) {
        BsonDocument find = new BsonDocument("find", new BsonString("c" + i))
                .append("filter", new BsonDocument("field" + i, new BsonInt32(i)));
        CommandView command = CommandView.of("db" + i % 100, BsonView.encode(find));
        Route route = new KeyRouter().route(command, CatalogSnapshot.empty(), RouterRelease.DEFAULT);
        Action action = i % 2 == 0 ? Action.LOG : Action.REFUSE;
        Verdict verdict = new Verdict(action, false, null, null, "default", 1);
        assertThat(route.namespace()).isEqualTo(new Namespace("db" + i % 100, "c" + i));
        metrics.commands()
                .judged(command, new Judgement(route, verdict, null), ClientInfo.of("10.0.0.1:" + i % 60_000))
                .ended(3, 1_000, action == Action.LOG ? 1_000_000 : CommandMeter.NO_SERVER, 100, 100);
    }

    /** As many labels as a configuration can ask for, in every combination: what bounds them is the number of series. */
    @Test
    void theSeriesStayWithinTheBoundWhateverIsCombined() throws IOException {
        ProxyMetrics wide = new ProxyMetrics("s27", 1_000, (route, client) -> client.appName());
        BsonDocument find = BsonDocument.parse("{find: 'c', filter: {}}");
        CommandView command = CommandView.of("db", BsonView.encode(find));
        List<Verdict> verdicts = List.of(
                new Verdict(Action.LOG, false, null, null, "default", 1),
                new Verdict(Action.LOG, true, null, null, "default", 1),
                new Verdict(Action.REFUSE, false, null, null, "default", 1),
                new Verdict(Action.LOG, false, null, "nightly", "default", 1));
        List<Route> routes = new ArrayList<>();
        for (Shape shape : Shape.values()) {
            for (int i = 0; i < 1_000; i++) {
                routes.add(routed("c" + i, shape));
            }
        }
        int findings = 0;
        for (int owner = 0; owner < 60; owner++) {
            ClientInfo client = new ClientInfo("10.0.0.1:1", "team-" + owner, null, null, null);
            for (Verdict verdict : verdicts) {
                for (Route route : routes) {
                    wide.commands()
                            .judged(command, new Judgement(route, verdict, null), client)
                            .ended(3, 1_000, 1_000_000, 100, 100);
                    findings++;
                }
            }
        }
        List<String> series = series(wide);
        List<String> found = series.stream()
                .filter(line -> line.startsWith("scatterguard_findings_total{"))
                .toList();
        System.out.printf(
                "S27: 1,000 namespaces, 60 owners, %d shapes, 4 actions: %,d series, %,d of findings%n",
                Shape.values().length, series.size(), found.size());

        assertThat(found).as("the bound of findings is reached").hasSizeGreaterThan(5_000);
        assertThat(series.size()).isLessThan(documentedBound());
        assertThat(found.stream().mapToDouble(S27BoundedLabelsTest::value).sum())
                .isEqualTo(findings);
    }

    private static Route routed(String collection, Shape shape) {
        StatementRoute statement = new StatementRoute(
                Placement.ALL_SHARDS,
                shape,
                Certainty.EXACT,
                ShardSet.none(),
                0,
                0,
                Reason.FIRST_FIELD_UNCONSTRAINED,
                null);
        return new Route(
                Route.Kind.ROUTED,
                new Namespace("db", collection),
                statement,
                List.of(statement),
                ShardSet.none(),
                ShardSet.none(),
                Placement.ALL_SHARDS,
                null,
                ShardRegistry.empty(),
                RouterRelease.DEFAULT);
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    private List<String> series() throws IOException {
        return series(metrics);
    }

    private static List<String> series(ProxyMetrics metrics) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        metrics.write(out, null);
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private static List<String> labels(List<String> series, String label) {
        Pattern pattern = Pattern.compile("[{,]" + label + "=\"([^\"]*)\"");
        return series.stream()
                .filter(line -> line.startsWith("scatterguard_findings_total{"))
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .distinct()
                .toList();
    }

    private static int documentedBound() throws IOException {
        Matcher matcher = Pattern.compile("stays below \\*\\*([0-9,]+)\\*\\*")
                .matcher(Files.readString(Repository.root().resolve("docs/metrics.md")));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1).replace(",", ""));
    }
}
