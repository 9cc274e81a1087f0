package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.reports.HtmlPage;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** A column for each day, of parts one above the other, as SVG. What it shows stands in a table too. */
final class DayChart {
    /** The last so many days: more would be narrower than lines. */
    static final int MAX_DAYS = 92;

    static final String STYLE = """
            .chart { overflow-x: auto; margin: .75rem 0; }
            .chart svg { display: block; width: 100%; min-width: 36rem; max-width: none; height: auto; }
            .chart text { fill: var(--quiet); font-size: 12px; }
            .chart .grid { stroke: var(--line); stroke-width: 1; }
            .part-1 { fill: var(--series-1); } .part-2 { fill: var(--series-2); } .part-3 { fill: var(--series-3); }
            .legend { list-style: none; margin: .5rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
            .legend svg { width: .8em; height: .8em; vertical-align: -.05em; margin-inline-end: .4em; }
            """;

    private static final int WIDTH = 720;
    private static final int HEIGHT = 240;
    private static final int LEFT = 78;
    private static final int TOP = 12;
    private static final int BOTTOM = 28;
    private static final int LABELS = 8;
    private static final double FILLED = 0.8;

    /** A few days are no reason for walls. */
    private static final double MAX_COLUMN = 64;

    /**
     * One part of the columns.
     *
     * @param series which colour, from 1
     */
    record Part(String name, int series, ToLongFunction<Sums> value) {}

    private final HtmlPage page;
    private final List<Part> parts;
    private final LongFunction<String> figure;

    /** @param figure how a value is written */
    DayChart(HtmlPage page, List<Part> parts, LongFunction<String> figure) {
        this.page = page;
        this.parts = List.copyOf(parts);
        this.figure = figure;
    }

    /** Writes the chart of {@code all}, or the last of them; nothing if there is no day. */
    void write(String title, List<Summary.Day> all) {
        List<Summary.Day> dated = all.stream().filter(day -> day.day() != null).toList();
        List<Summary.Day> days = dated.subList(Math.max(0, dated.size() - MAX_DAYS), dated.size());
        if (days.isEmpty()) {
            return;
        }
        page.heading(3, title + (days.size() < dated.size() ? ", the last " + days.size() : ""));
        legend();
        long most = Math.max(1, days.stream().mapToLong(this::height).max().orElse(1));
        String label = title + ", " + days.get(0).day() + " to "
                + days.get(days.size() - 1).day() + ", at most " + figure.apply(most) + " a day";
        page.open("div", "class", "chart", "role", "region", "aria-label", title, "tabindex", "0");
        page.open("svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "role", "img", "aria-label", label);
        grid(most);
        for (int i = 0; i < days.size(); i++) {
            column(days.get(i), i, days.size(), most);
        }
        page.close().close();
    }

    private long height(Summary.Day day) {
        return parts.stream()
                .mapToLong(part -> part.value.applyAsLong(day.sums()))
                .sum();
    }

    private void legend() {
        page.open("ul", "class", "legend");
        for (Part part : parts) {
            page.open("li").open("svg", "viewBox", "0 0 10 10", "aria-hidden", "true");
            page.open("rect", "width", "10", "height", "10", "class", "part-" + part.series)
                    .close();
            page.close().text(part.name).close();
        }
        page.close();
    }

    private void grid(long most) {
        for (int step = 0; step <= 2; step++) {
            String y = text(bottom() - (bottom() - TOP) * step / 2.0);
            page.open("line", "x1", text(LEFT), "x2", text(WIDTH), "y1", y, "y2", y, "class", "grid")
                    .close();
            if (step != 1 || most > 1) {
                page.element(
                        "text",
                        figure.apply(most * step / 2),
                        "x",
                        text(LEFT - 8),
                        "y",
                        y,
                        "dy",
                        "4",
                        "text-anchor",
                        "end");
            }
        }
    }

    private void column(Summary.Day day, int index, int count, long most) {
        double slot = (double) (WIDTH - LEFT) / count;
        double width = Math.min(slot * FILLED, MAX_COLUMN);
        double x = LEFT + slot * index + (slot - width) / 2;
        double y = bottom();
        page.open("g");
        StringBuilder said = new StringBuilder(String.valueOf(day.day()));
        for (Part part : parts) {
            said.append("; ").append(part.name).append(": ").append(figure.apply(part.value.applyAsLong(day.sums())));
        }
        page.element("title", said.toString());
        for (Part part : parts) {
            double height = (double) (bottom() - TOP) * part.value.applyAsLong(day.sums()) / most;
            y -= height;
            if (height > 0) {
                page.open(
                                "rect",
                                "x",
                                text(x),
                                "y",
                                text(y),
                                "width",
                                text(width),
                                "height",
                                text(height),
                                "class",
                                "part-" + part.series)
                        .close();
            }
        }
        page.close();
        if (index % Math.max(1, (count + LABELS - 1) / LABELS) == 0) {
            String label = String.valueOf(day.day()).substring("2026-".length());
            page.element("text", label, "x", text(x + width / 2), "y", text(HEIGHT - 8), "text-anchor", "middle");
        }
    }

    private static int bottom() {
        return HEIGHT - BOTTOM;
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
