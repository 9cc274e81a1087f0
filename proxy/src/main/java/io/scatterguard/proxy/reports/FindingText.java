package io.scatterguard.proxy.reports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What every format says of a finding, in the order in which people need it. All of it is {@link VisibleText}.
 *
 * @param headline for {@code grep}: id, new or known, kind, namespace, command
 */
record FindingText(String headline, List<Line> lines) {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@/-]*");
    private static final String UNOWNED = "unowned";

    FindingText {
        lines = List.copyOf(lines);
    }

    /** What a line is about. */
    enum Part {
        COMMAND("command", false),
        KEY("shard key", true),
        REACH("shards", false),
        WHY("why", true),
        RULE("rule", true),
        FIX("fix", true),
        FILTER("fix as a filter", false),
        HINT("in code", false),
        NOTES("notes", true),
        TEST("test", true),
        ROUTE("route", true),
        APP("app", true),
        DRIVER("driver", true),
        SEEN("seen", true),
        OWNER("owner", true),
        ACCEPT("accept", true),
        DOCS("docs", true);

        private final String title;
        private final boolean labelled;

        Part(String title, boolean labelled) {
            this.title = title;
            this.labelled = labelled;
        }

        String title() {
            return title;
        }
    }

    record Line(Part part, String value) {
        @Override
        public String toString() {
            return part.labelled ? part.title + ": " + value : value;
        }
    }

    static FindingText of(Finding finding) {
        List<Line> lines = new ArrayList<>();
        add(lines, Part.COMMAND, finding.subject().shape());
        add(lines, Part.KEY, key(finding));
        add(lines, Part.REACH, reach(finding));
        Finding.Cause cause = finding.cause();
        add(lines, Part.WHY, cause.why());
        add(lines, Part.RULE, rule(cause));
        add(lines, Part.FIX, cause.fix());
        add(lines, Part.FILTER, cause.fixFilter());
        add(lines, Part.HINT, DriverHint.of(finding).orElse(""));
        add(lines, Part.NOTES, String.join(", ", cause.notes()));
        Finding.Clients clients = finding.clients();
        add(lines, Part.TEST, String.join(", ", clients.tests()));
        add(lines, Part.ROUTE, String.join(", ", clients.routes()));
        add(lines, Part.APP, String.join(", ", clients.apps()));
        add(lines, Part.DRIVER, String.join(", ", clients.drivers()));
        add(lines, Part.SEEN, seen(finding.seen()));
        add(lines, Part.OWNER, finding.owner());
        add(lines, Part.ACCEPT, accept(finding).orElse(""));
        add(lines, Part.DOCS, KindHelp.documentation(finding.kind()));
        return new FindingText(headline(finding), lines);
    }

    private static void add(List<Line> lines, Part part, String value) {
        if (!value.isEmpty()) {
            lines.add(new Line(part, VisibleText.of(value)));
        }
    }

    private static String headline(Finding finding) {
        return VisibleText.of(finding.id() + " " + state(finding) + " "
                + finding.subject().namespace() + " " + finding.subject().command());
    }

    /** Whether it is new, and what it is. */
    static String state(Finding finding) {
        return (finding.known() ? "known " : "new ") + finding.kind().text();
    }

    /** How it is put into a baseline: nothing for what is in it. The id is checked, because people paste this into a shell. */
    static Optional<String> accept(Finding finding) {
        if (finding.known() || !HASH.matcher(finding.id()).matches()) {
            return Optional.empty();
        }
        String owner = finding.owner();
        boolean named = !owner.equals(UNOWNED) && WORD.matcher(owner).matches();
        return Optional.of("scatterguard baseline accept " + finding.id() + " --owner " + (named ? owner : "TEAM")
                + " --until DATE");
    }

    private static String key(Finding finding) {
        Finding.KeyUse key = finding.key();
        if (key == null) {
            return "";
        }
        String fields = key.fields().stream().map(FindingText::field).collect(Collectors.joining(", "));
        boolean several =
                key.fields().stream().filter(field -> field.by() == null).count() > 1;
        String first = several ? "; first missing: " + key.firstMissing().orElse("") : "";
        return key.pattern() + "   " + fields + first;
    }

    private static String field(Finding.KeyField field) {
        return field.by() == null ? "✗ " + field.name() + " missing" : "✓ " + field.name() + " (" + field.by() + ")";
    }

    private static String reach(Finding finding) {
        Finding.Seen seen = finding.seen();
        String times = seen.times() == 1 ? "once" : seen.times() + " times";
        String refused = seen.refused() == 0 ? "" : ", refused or to be refused " + seen.refused();
        String cost = seen.serverMicros() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %.1f ms each, %.1f s of shards in all",
                        seen.serverMicros() / 1_000.0 / Math.max(1, seen.times()),
                        seen.shardMicros() / 1_000_000.0);
        return shards(finding.reach()) + ", " + times + refused + cost;
    }

    /** How many, exactly or at most. */
    static String shards(Finding.Reach reach) {
        if (reach.shards() < 0) {
            return "shards not known";
        }
        String most = reach.exact() ? "" : "at most ";
        if (reach.total() > 0) {
            return most + reach.shards() + " of " + reach.total() + " shards";
        }
        return most + reach.shards() + (reach.shards() == 1 ? " shard" : " shards");
    }

    private static String rule(Finding.Cause cause) {
        if (cause.rule() == null) {
            return "";
        }
        return cause.rule() + (cause.ruleReason() == null ? "" : " (" + cause.ruleReason() + ")");
    }

    private static String seen(Finding.Seen seen) {
        if (seen.first() == null || seen.last() == null) {
            return "";
        }
        return seen.first().equals(seen.last()) ? seen.first().toString() : seen.first() + " to " + seen.last();
    }
}
