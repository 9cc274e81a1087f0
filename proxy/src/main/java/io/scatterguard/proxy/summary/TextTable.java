package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.VisibleText;
import java.util.ArrayList;
import java.util.List;

/** A table for a terminal: figures stand below each other. Names may come from anybody; what would not show in them is made visible. */
final class TextTable {
    private static final String INDENT = "  ";
    private static final int MAX_CELL_CHARS = 60;

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    /** The first cell is a name and what follows are figures. */
    TextTable row(String... cells) {
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            String text = VisibleText.of(cell);
            row.add(text.length() <= MAX_CELL_CHARS ? text : text.substring(0, MAX_CELL_CHARS - 1) + "…");
        }
        rows.add(row);
        return this;
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    void writeTo(StringBuilder text, Colours colours) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder(INDENT);
            for (int i = 0; i < widths.length; i++) {
                String cell = rows.get(r).get(i);
                String padding = " ".repeat(widths[i] - width(cell));
                boolean last = i == widths.length - 1;
                line.append(i == 0 ? cell + padding : padding + cell).append(last ? "" : INDENT);
            }
            text.append(
                            r == 0
                                    ? colours.strong(line.toString())
                                    : line.toString().stripTrailing())
                    .append('\n');
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
