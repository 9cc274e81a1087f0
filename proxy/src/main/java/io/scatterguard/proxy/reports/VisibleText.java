package io.scatterguard.proxy.reports;

/**
 * Text that somebody else named, so that it shows what it is: line ends, terminal sequences, bidirectional and invisible
 * characters, unpaired surrogates and code points that are no characters become {@code \}{@code uXXXX}. What is left is
 * printable, one line, and allowed in XML and in any encoding of Unicode.
 */
public final class VisibleText {
    private VisibleText() {}

    public static String of(String text) {
        return escaped(text, -1);
    }

    /** The same of a text of several lines that contains the names already, such as a JSON document. */
    public static String ofLines(String text) {
        return escaped(text, '\n');
    }

    private static String escaped(String text, int kept) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == kept || isVisible(c)) {
                visible.appendCodePoint(c);
            } else {
                for (char half : Character.toChars(c)) {
                    visible.append(String.format("\\u%04x", (int) half));
                }
            }
        });
        return visible.toString();
    }

    private static boolean isVisible(int c) {
        boolean noncharacter = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
        return !noncharacter
                && switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
