package io.scatterguard.proxy.explain;

import java.util.ArrayList;
import java.util.List;

/** Labelled rows of text in two columns, at most {@link #WIDTH} columns wide where there are blanks to break at. */
final class Rows {
    static final int WIDTH = 100;

    private static final int LABEL = 2;
    private static final int TEXT = 14;

    private final StringBuilder out = new StringBuilder();

    /** A line of its own, wrapped from the beginning of the line. */
    Rows line(String text) {
        wrapped(text, 0).forEach(this::append);
        return this;
    }

    Rows blank() {
        append("");
        return this;
    }

    /** A label and its text; nothing where the text is empty. */
    Rows row(String label, String text) {
        return text.isEmpty() ? this : row(label, List.of(text));
    }

    /** A label beside the first of several lines. */
    Rows row(String label, List<String> lines) {
        String before = " ".repeat(LABEL) + label;
        for (String line : lines) {
            for (String part : wrapped(line, TEXT)) {
                append(before + " ".repeat(Math.max(1, TEXT - before.length())) + part);
                before = "";
            }
        }
        return this;
    }

    private void append(String line) {
        out.append(line.stripTrailing()).append('\n');
    }

    /** Further lines of a text begin two columns farther right. */
    private static List<String> wrapped(String text, int indent) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        String hanging = "";
        while (hanging.length() + rest.length() > WIDTH - indent) {
            int at = rest.lastIndexOf(' ', WIDTH - indent - hanging.length());
            boolean breaks = at > 0 && !rest.substring(0, at).isBlank();
            if (!breaks) {
                break;
            }
            lines.add(hanging + rest.substring(0, at));
            rest = rest.substring(at + 1);
            hanging = "  ";
        }
        lines.add(hanging + rest);
        return lines;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
