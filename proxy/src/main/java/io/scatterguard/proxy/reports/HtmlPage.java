package io.scatterguard.proxy.reports;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A page in one file: no script, nothing fetched, readable in light and dark, on a narrow screen and on paper.
 *
 * <p>Text and the values of attributes may come from anybody: they are escaped, and what would not show in them is made visible.
 * Names of elements and attributes come from the code; those that could run, fetch or restyle something are not possible. The
 * page's policy ({@code Content-Security-Policy}) allows the page's own style alone, so {@code style} attributes would have no
 * effect: use classes, and presentation attributes in SVG. Not thread-safe.
 *
 * <pre>{@code
 * HtmlPage page = HtmlPage.titled("Findings").heading(1, "Findings");
 * page.open("section", "id", "totals").heading(2, "Totals");
 * page.table("Per day", List.of(Column.text("day"), Column.number("times")), List.of(List.of("Monday", "3")));
 * page.close();
 * String html = page.toHtml();
 * }</pre>
 */
public final class HtmlPage {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9-]*");
    private static final Pattern LINK = Pattern.compile("(#|https://)\\S+");
    private static final List<String> ACTIVE = List.of(
            "script",
            "style",
            "link",
            "meta",
            "base",
            "iframe",
            "object",
            "embed",
            "img",
            "image",
            "use",
            "form",
            "foreignObject");
    private static final List<String> VOID = List.of("br", "hr", "wbr", "col");

    private final String title;
    private final StringBuilder body = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();
    private String style = HtmlStyle.BASE;

    private HtmlPage(String title) {
        this.title = title;
    }

    /** @param title of the window; what people see is a {@link #heading} */
    public static HtmlPage titled(String title) {
        return new HtmlPage(title);
    }

    /** How a column is set. */
    public record Column(String heading, boolean numeric) {
        public static Column text(String heading) {
            return new Column(heading, false);
        }

        /** Right-aligned, digits below digits. */
        public static Column number(String heading) {
            return new Column(heading, true);
        }
    }

    /**
     * Adds rules to the page's style sheet: of the code, never of data.
     *
     * @throws IllegalArgumentException if {@code css} could fetch something or end the style sheet
     */
    public HtmlPage style(String css) {
        if (css.contains("<") || css.contains("url(") || css.contains("@import")) {
            throw new IllegalArgumentException("css: a style sheet of this page fetches nothing and holds no '<'");
        }
        style += css;
        return this;
    }

    /**
     * Opens an element; {@link #close} ends the one opened last.
     *
     * @param attributes names and values in turn; {@code href} is {@code #…} or {@code https://…}
     * @throws IllegalArgumentException for an element or attribute that this page does not have
     */
    public HtmlPage open(String element, String... attributes) {
        require(NAME.matcher(element).matches() && !ACTIVE.contains(element), "element", element);
        if (attributes.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "attributes: a name without a value: " + attributes[attributes.length - 1]);
        }
        body.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            attribute(attributes[i], attributes[i + 1]);
        }
        body.append('>');
        if (!VOID.contains(element)) {
            open.push(element);
        }
        return this;
    }

    private void attribute(String name, String value) {
        boolean harmless = NAME.matcher(name).matches()
                && !name.startsWith("on")
                && !List.of("style", "src", "srcset", "srcdoc", "data", "action", "formaction", "ping", "background")
                        .contains(name);
        require(harmless, "attribute", name);
        require(!name.equals("href") || LINK.matcher(value).matches(), "href", value);
        body.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
    }

    private static void require(boolean sound, String what, String value) {
        if (!sound) {
            throw new IllegalArgumentException(what + ": not on this page: " + VisibleText.of(value));
        }
    }

    /** Text in the element that is open. */
    public HtmlPage text(String text) {
        body.append(escaped(text));
        return this;
    }

    /** Ends the element that was opened last. */
    public HtmlPage close() {
        body.append("</").append(open.pop()).append('>');
        if (open.isEmpty()) {
            body.append('\n');
        }
        return this;
    }

    /** An element with nothing but text in it; attributes as for {@link #open}. */
    public HtmlPage element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** @param level 1 for the page, 2 for a section … */
    public HtmlPage heading(int level, String text) {
        if (level < 1 || level > 6) {
            throw new IllegalArgumentException("level: " + level + " (expected: 1..6)");
        }
        return element("h" + level, text);
    }

    /** A section with a heading (level 2) and an anchor; {@link #close} ends it. */
    public HtmlPage section(String anchor, String heading) {
        return open("section", "id", anchor).heading(2, heading);
    }

    /**
     * A table of text, in the order of {@code rows}, that scrolls by itself where it is too wide.
     *
     * @param caption what it is, for those who cannot see it too
     * @param rows each with a cell for every column
     */
    public HtmlPage table(String caption, List<Column> columns, List<List<String>> rows) {
        openTable(caption, columns);
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("cells: " + row.size() + " (expected: " + columns.size() + ")");
            }
            open("tr");
            for (int i = 0; i < row.size(); i++) {
                cell(columns.get(i)).text(row.get(i)).close();
            }
            close();
        }
        return closeTable();
    }

    /** The head of a table whose rows the caller writes: {@code open("tr")}, {@link #cell} for each column, {@code close()}. */
    public HtmlPage openTable(String caption, List<Column> columns) {
        open("div", "class", "table", "role", "region", "aria-label", caption, "tabindex", "0");
        open("table").element("caption", caption).open("thead").open("tr");
        for (Column column : columns) {
            element("th", column.heading(), "scope", "col", "class", column.numeric() ? "number" : "text");
        }
        return close().close().open("tbody");
    }

    /** Opens a cell of {@code column}. */
    public HtmlPage cell(Column column) {
        return open("td", "class", column.numeric() ? "number" : "text");
    }

    /** Ends what {@link #openTable} began. */
    public HtmlPage closeTable() {
        return close().close().close();
    }

    /**
     * The document. {@code <} and {@code &} of the data are escaped everywhere, so it holds no element that is not the code's.
     *
     * @throws IllegalStateException if an element is still open
     */
    public String toHtml() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("still open: " + open);
        }
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"
                + hash(style) + "'; base-uri 'none'; form-action 'none'\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<meta name=\"color-scheme\" content=\"light dark\">\n"
                + "<meta name=\"referrer\" content=\"no-referrer\">\n"
                + "<title>" + escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n"
                + body + "</main>\n</body>\n</html>\n";
    }

    private static String hash(String style) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** For HTML and XML, as text and within quotes. */
    static String escaped(String text) {
        return VisibleText.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
