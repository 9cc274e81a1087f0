package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.session.CommandMeter;
import io.scatterguard.proxy.session.Judgement;
import io.scatterguard.tests.support.MemoryFigures;
import io.scatterguard.tests.support.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
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

    private List<String> series() throws IOException {
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
