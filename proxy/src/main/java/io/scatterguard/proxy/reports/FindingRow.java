package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.findings.TestNames;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.records.AuditRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The records of one shape, added up. */
final class FindingRow {
    /** How many applications, drivers and tests are named. */
    static final int MAX_NAMES = 5;

    private static final String ROUTE = "route:";

    private final String id;
    private JsonNode example;
    private final Set<String> apps = new LinkedHashSet<>();
    private final Set<String> drivers = new LinkedHashSet<>();
    private final Set<String> tests = new LinkedHashSet<>();
    private final Set<String> routes = new LinkedHashSet<>();
    private long times;
    private long refused;
    private long serverMicros;
    private long shardMicros;
    /** Of what was only counted: how many shards it had, only an example tells, which may come later. */
    private long countedMicros;

    /** Of its commands, as a shape has many values; -1 where nobody knows. */
    private int mostShards = -1;

    private int mostTotal = -1;
    private boolean varies;

    private @Nullable Instant first;
    private @Nullable Instant last;

    FindingRow(String id, JsonNode example) {
        this.id = id;
        this.example = example;
    }

    String id() {
        return id;
    }

    /** Whether there are but counts, or nothing is known of where it goes, and {@code json} knows it. */
    boolean needsExample(JsonNode json) {
        return !example.has("verdict") || (!hasShards(example) && hasShards(json));
    }

    private static boolean hasShards(JsonNode json) {
        return json.path("route").has("shardCount");
    }

    /** A record of a command, or of a further batch of one. */
    void add(JsonNode json, AuditRecord record, boolean continued) {
        if (needsExample(json)) {
            example = json;
        }
        if (hasShards(json)) {
            varies |= mostShards >= 0 && mostShards != record.shards();
            mostShards = Math.max(mostShards, record.shards());
            mostTotal =
                    Math.max(mostTotal, json.path("route").path("shardTotal").asInt(-1));
        }
        long micros = record.serverMicros();
        // Of a command whose first batch was not slow enough to be logged, the second one is all there is.
        boolean counts = !continued || times == 0;
        add(counts ? 1 : 0, counts ? record.refused() + record.wouldRefuse() : 0, micros, record.shardMicros());
        seen(json, record);
    }

    /** A record that counts findings. */
    void addCounts(JsonNode json, AuditRecord record) {
        countedMicros += record.serverMicros();
        add(record.findings(), record.wouldRefuse(), record.serverMicros(), 0);
        seen(json, record);
    }

    private void add(long more, long moreRefused, long micros, long ofShards) {
        times += more;
        refused += moreRefused;
        serverMicros += micros;
        shardMicros += ofShards;
    }

    private void seen(JsonNode json, AuditRecord record) {
        Instant at = record.at().orElse(null);
        if (at != null) {
            first = first == null || at.isBefore(first) ? at : first;
            last = last == null || at.isAfter(last) ? at : last;
        }
        JsonNode client = json.path("client");
        name(apps, client.path("app").asText(""));
        name(drivers, client.path("driver").asText(""));
        TestNames.of(json.path("comment").asText(""), client.path("app").asText(""))
                .forEach(test -> name(tests, test));
        for (String word : json.path("comment").asText("").split(" ", -1)) {
            if (word.startsWith(ROUTE)) {
                name(routes, word.substring(ROUTE.length()));
            }
        }
    }

    private static void name(Set<String> names, String name) {
        if (!name.isEmpty() && names.size() < MAX_NAMES) {
            names.add(name);
        }
    }

    Finding finding(boolean known) {
        JsonNode route = example.path("route");
        return new Finding(
                id,
                known,
                kind(),
                new Finding.Subject(
                        example.path("db").asText("")
                                + (example.has("coll")
                                        ? "." + example.path("coll").asText()
                                        : ""),
                        example.path("command").asText(""),
                        example.path("shape").path("text").asText("")),
                key(),
                new Finding.Reach(
                        mostShards,
                        mostTotal,
                        !varies && route.path("certainty").asText("").equals("exact")),
                cause(),
                new Finding.Seen(
                        times,
                        refused,
                        serverMicros,
                        shardMicros + countedMicros * Math.max(0, mostShards),
                        first,
                        last),
                new Finding.Clients(List.copyOf(apps), List.copyOf(drivers), List.copyOf(tests), List.copyOf(routes)),
                example.path("owner").asText("unowned"));
    }

    private Finding.Kind kind() {
        JsonNode route = example.path("route");
        if (example.path("verdict").path("reason").asText("").equals(Reasons.CATALOG_UNKNOWN)) {
            return Finding.Kind.UNKNOWN_NAMESPACE;
        }
        if (example.path("wouldFail").path("certain").asBoolean()) {
            return Finding.Kind.WOULD_FAIL;
        }
        if (route.path("intrinsic").asBoolean()) {
            return Finding.Kind.INTRINSIC;
        }
        return switch (route.path("shape").asText("")) {
            case "scatterGather" -> Finding.Kind.SCATTER_GATHER;
            case "multiShard" -> Finding.Kind.MULTI_SHARD;
            default -> Finding.Kind.OTHER;
        };
    }

    private Finding.@Nullable KeyUse key() {
        if (!example.has("shardKey")) {
            return null;
        }
        String pattern = example.path("shardKey").asText();
        List<Finding.KeyField> fields = new ArrayList<>();
        for (JsonNode constrained : example.path("constrained")) {
            fields.add(new Finding.KeyField(
                    constrained.path("field").asText(), constrained.path("by").asText()));
        }
        for (JsonNode missing : example.path("missing")) {
            fields.add(new Finding.KeyField(missing.asText(), null));
        }
        // In the order of the key: each stands in its pattern.
        fields.sort((a, b) -> Integer.compare(place(pattern, a.name()), place(pattern, b.name())));
        return new Finding.KeyUse(pattern, fields);
    }

    private static int place(String pattern, String field) {
        int at = Math.max(pattern.indexOf("{" + field + ":"), pattern.indexOf(", " + field + ":"));
        return at < 0 ? pattern.length() : at;
    }

    private Finding.Cause cause() {
        JsonNode verdict = example.path("verdict");
        List<String> notes = new ArrayList<>();
        example.path("notes").forEach(note -> notes.add(note.asText()));
        return new Finding.Cause(
                example.path("why").asText(""),
                example.path("fix").asText(""),
                example.path("fixFilter").asText(""),
                notes,
                verdict.has("rule") ? verdict.path("rule").asText() : null,
                verdict.has("ruleReason") ? verdict.path("ruleReason").asText() : null);
    }
}
