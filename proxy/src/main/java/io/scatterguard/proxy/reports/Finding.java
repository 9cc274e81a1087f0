package io.scatterguard.proxy.reports;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All commands of one query shape that a policy logs or refuses. Holds no values of commands.
 *
 * @param id the shape's hash: the same wherever the shape is seen
 * @param known whether it is in the baseline
 * @param key what its worst command makes of the shard key; null where no key decides
 * @param owner exactly one, {@code unowned} included
 */
public record Finding(
        String id,
        boolean known,
        Kind kind,
        Subject subject,
        @Nullable KeyUse key,
        Reach reach,
        Cause cause,
        Seen seen,
        Clients clients,
        String owner) {
    /** What is wrong with it. */
    public enum Kind {
        SCATTER_GATHER("scatter-gather"),
        MULTI_SHARD("multi-shard"),
        /** It reaches every shard by its nature, and a rule names it. */
        INTRINSIC("broadcast by nature"),
        WOULD_FAIL("would fail"),
        UNKNOWN_NAMESPACE("unknown namespace"),
        /** A rule matched it for another reason than where it goes. */
        OTHER("by rule");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** For people. */
        public String text() {
            return text;
        }

        /** The heading about it in docs/findings.md. */
        public String anchor() {
            return text.replace(' ', '-');
        }
    }

    /** @param shape the normalised command */
    public record Subject(String namespace, String command, String shape) {}

    /** @param pattern for instance {@code {region: 1, userId: 1}} */
    public record KeyUse(String pattern, List<KeyField> fields) {
        public KeyUse {
            fields = List.copyOf(fields);
        }

        /** The one to give first: routers use a key from its beginning. */
        public Optional<String> firstMissing() {
            return fields.stream()
                    .filter(field -> field.by() == null)
                    .map(KeyField::name)
                    .findFirst();
        }
    }

    /** @param by {@code point} or {@code range}; null for one that is left open */
    public record KeyField(String name, @Nullable String by) {}

    /**
     * How many shards.
     *
     * @param shards -1 where that is not known
     * @param total -1 where that is not known
     * @param exact false for an upper bound
     */
    public record Reach(int shards, int total, boolean exact) {}

    /**
     * @param why one sentence
     * @param fix what to do, a clause; empty if there is nothing
     * @param fixFilter the filter as it would be written, with the name that it has in the command; empty if there is nothing
     * @param rule that matched; null for a default
     * @param ruleReason why there is this rule; null if it does not say
     */
    public record Cause(
            String why,
            String fix,
            String fixFilter,
            List<String> notes,
            @Nullable String rule,
            @Nullable String ruleReason) {
        public Cause {
            notes = List.copyOf(notes);
        }
    }

    /**
     * @param times how many commands
     * @param refused how many of them were refused, or would have been
     * @param serverMicros sum of the server's time
     * @param shardMicros sum of server time times shards
     */
    public record Seen(
            long times,
            long refused,
            long serverMicros,
            long shardMicros,
            @Nullable Instant first,
            @Nullable Instant last) {}

    /**
     * The first few of each.
     *
     * @param routes what in the applications sends it, as they say themselves
     */
    public record Clients(List<String> apps, List<String> drivers, List<String> tests, List<String> routes) {
        public Clients {
            apps = List.copyOf(apps);
            drivers = List.copyOf(drivers);
            tests = List.copyOf(tests);
            routes = List.copyOf(routes);
        }

        /** Those that say nothing of routes. */
        public Clients(List<String> apps, List<String> drivers, List<String> tests) {
            this(apps, drivers, tests, List.of());
        }
    }
}
