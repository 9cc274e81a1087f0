package io.scatterguard.proxy.changes;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.VisibleText;
import java.util.Locale;

/** Changes for a terminal. The first line of each can be searched for: id, change, namespace, command. */
public final class ChangesText {
    private final StringBuilder text = new StringBuilder();
    private final Colours colours;

    private ChangesText(Colours colours) {
        this.colours = colours;
    }

    /** @param colours how to write on the terminal */
    public static String of(Changes changes, Colours colours) {
        ChangesText report = new ChangesText(colours);
        report.text.append("before: ").append(VisibleText.of(changes.before())).append('\n');
        report.text.append("after:  ").append(VisibleText.of(changes.after())).append("\n\n");
        changes.rows().forEach(report::row);
        report.totals(changes);
        return report.text.toString();
    }

    private void row(Changes.Row row) {
        String change = row.change().text();
        text.append(row.subject().id()).append(' ');
        text.append(row.isFresh() ? colours.alarming(change) : change).append(row.known() ? " (known) " : " ");
        text.append(colours.strong(VisibleText.of(row.subject().namespace()))).append(' ');
        text.append(VisibleText.of(row.subject().command())).append('\n');
        line("", row.subject().shape());
        line("", fate(row.before()) + " → " + fate(row.after()));
        line("", seen(row.seen()));
        if (row.before().action() != row.after().action()) {
            line(
                    "verdict",
                    row.before().action().text() + " → " + row.after().action().text());
        }
        line("why", row.advice().why());
        line("fix", row.advice().fix());
        line("owner", row.advice().owner());
        text.append('\n');
    }

    private void line(String label, String value) {
        if (!value.isEmpty()) {
            text.append("  ").append(label.isEmpty() ? "" : label + ": ").append(VisibleText.of(value));
            text.append('\n');
        }
    }

    private static String fate(Fate fate) {
        if (fate.error() != null) {
            return fate.way().text() + ": " + fate.error();
        } else if (fate.shards() < 0) {
            return fate.way().text() + " (shards not known)";
        }
        String shards = fate.total() > 1 ? fate.shards() + " of " + fate.total() : String.valueOf(fate.shards());
        return fate.way().text() + " (" + (fate.exact() ? "" : "at most ") + shards + ")";
    }

    private static String seen(Changes.Seen seen) {
        String times = seen.times() == 1 ? "once" : seen.times() + " times";
        return seen.serverMicros() == 0
                ? times
                : String.format(
                        Locale.ROOT,
                        "%s, %.1f ms each, %.1f s → %.1f s of shards in all",
                        times,
                        seen.serverMicros() / 1_000.0 / seen.times(),
                        seen.shardMicrosBefore() / 1_000_000.0,
                        seen.shardMicrosAfter() / 1_000_000.0);
    }

    private void totals(Changes changes) {
        for (Change change : Change.values()) {
            long shapes = changes.rows().stream()
                    .filter(row -> row.change() == change)
                    .count();
            if (shapes > 0) {
                long times = changes.rows().stream()
                        .filter(row -> row.change() == change)
                        .mapToLong(row -> row.seen().times())
                        .sum();
                text.append(change.text() + ": " + counted(shapes, times) + "\n");
            }
        }
        Changes.Totals totals = changes.totals();
        text.append("unchanged: " + counted(totals.unchangedShapes(), totals.unchanged()) + "\n");
        if (totals.beyond() > 0) {
            text.append("not listed: " + totals.beyond() + " commands of further changes, beyond "
                    + ChangesTally.MAX_SHAPES + "\n");
        }
    }

    private static String counted(long shapes, long commands) {
        return shapes
                + (shapes == 1 ? " shape, " : " shapes, ")
                + commands
                + (commands == 1 ? " command" : " commands");
    }
}
