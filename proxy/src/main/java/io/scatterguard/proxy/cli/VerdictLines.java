package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.audit.AuditSink;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An audit sink for people: one readable line a record, kept until it is asked for or printed at once. */
final class VerdictLines implements AuditSink {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 5;
    private static final int MAX_KEPT = 1_000;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MAX_KEPT);
    private volatile @Nullable PrintStream out;

    /** The next line; says so if none comes within a few seconds. */
    String next() {
        try {
            String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return line == null ? "verdict: no record came" : line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "verdict: interrupted";
        }
    }

    /** From now on prints every line to {@code stream} as it comes. */
    void printTo(PrintStream stream) {
        out = stream;
    }

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public void write(List<byte[]> records) throws IOException {
        for (byte[] record : records) {
            String line = readable(JSON.readTree(record));
            PrintStream stream = out;
            if (stream != null) {
                stream.println(line);
            } else if (!lines.offer(line)) {
                lines.clear();
            }
        }
    }

    /** For instance {@code verdict: find shop.orders -> 1 of 3 shards [shard-a], oneShard, singleShard: allow}. */
    static String readable(JsonNode record) {
        JsonNode route = record.path("route");
        List<String> shards = new ArrayList<>();
        route.path("shards").forEach(shard -> shards.add(shard.asText()));
        StringBuilder line = new StringBuilder("verdict: ")
                .append(record.path("command").asText())
                .append(' ')
                .append(record.path("db").asText())
                .append('.')
                .append(record.path("coll").asText())
                .append(" -> ")
                .append(shards.size())
                .append(" of ")
                .append(route.path("shardTotal").asInt())
                .append(" shards ")
                .append(shards);
        for (String label : List.of("placement", "shape")) {
            if (route.hasNonNull(label)) {
                line.append(", ").append(route.path(label).asText());
            }
        }
        if ("upperBound".equals(route.path("certainty").asText())) {
            line.append(" at most");
        }
        JsonNode verdict = record.path("verdict");
        line.append(": ").append(verdict.path("action").asText());
        if (verdict.hasNonNull("exemption")) {
            line.append(" (exempted by ")
                    .append(verdict.path("exemption").asText())
                    .append(')');
        } else if (verdict.hasNonNull("rule")) {
            line.append(" (rule ").append(verdict.path("rule").asText()).append(')');
        }
        return line.toString();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
