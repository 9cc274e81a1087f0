package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.audit.WhenFull;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.FindingsTally;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Adds the records of a running proxy up to findings, as {@code check} does with those in a file. Loses none. */
final class FindingsSink implements AuditSink {
    /** Further namespaces of which no metadata tell anything are not counted. */
    private static final int MAX_NAMESPACES = 10_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<String> known;
    private FindingsTally tally;
    private final Map<String, Long> unsharded = new TreeMap<>();
    private final Set<String> namespaces = new HashSet<>();
    private long routed;
    private long judged;

    /** @param known the ids that are in the baseline */
    FindingsSink(Set<String> known) {
        this.known = Set.copyOf(known);
        this.tally = new FindingsTally(known);
    }

    @Override
    public String name() {
        return "findings";
    }

    @Override
    public WhenFull whenFull() {
        return WhenFull.BLOCK;
    }

    @Override
    public synchronized void write(List<byte[]> lines) throws IOException {
        for (byte[] line : lines) {
            JsonNode record = JSON.readTree(line);
            tally.add(record);
            look(record);
        }
    }

    private void look(JsonNode record) {
        JsonNode route = record.path("route");
        if (!route.isObject()) {
            return;
        }
        routed++;
        String collection = record.path("coll").asText("");
        String namespace = record.path("db").asText("") + "." + collection;
        boolean keyless = route.path("placement").asText("").equals("unsharded");
        if (isJudged(record, route)) {
            judged++;
        }
        if (keyless
                && !collection.isEmpty()
                && (unsharded.size() < MAX_NAMESPACES || unsharded.containsKey(namespace))) {
            unsharded.merge(namespace, 1L, Long::sum);
        }
        if (namespaces.size() < MAX_NAMESPACES) {
            namespaces.add(namespace);
        }
    }

    /** Whether a shard key decided, or would have if it were known. What goes everywhere by its nature shows nothing. */
    private static boolean isJudged(JsonNode record, JsonNode route) {
        return route.has("shape")
                || record.has("shardKey")
                || record.path("verdict").path("reason").asText("").equals(Reasons.CATALOG_UNKNOWN);
    }

    /** Since the start, or the last {@link #reset}. */
    synchronized Findings findings() {
        return tally.findings();
    }

    /** How many commands were routed, since the start. */
    synchronized long routed() {
        return routed;
    }

    /** How many commands went elsewhere than where unsharded collections are, since the start. */
    synchronized long judged() {
        return judged;
    }

    /** The namespaces that were used, since the start. */
    synchronized Set<String> namespaces() {
        return Set.copyOf(namespaces);
    }

    /** The namespaces that went to where unsharded collections are, since the start, and how many commands each had. */
    synchronized Map<String, Long> unsharded() {
        return new TreeMap<>(unsharded);
    }

    /** Since the start, or the last {@link #reset}; counting begins anew. */
    synchronized Findings take() {
        Findings taken = tally.findings();
        reset();
        return taken;
    }

    synchronized void reset() {
        tally = new FindingsTally(known);
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        // What was added up stays.
    }
}
