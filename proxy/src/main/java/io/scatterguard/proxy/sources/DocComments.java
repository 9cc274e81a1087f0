package io.scatterguard.proxy.sources;

/** The doc comments of a source in PHP, in which annotations stand. */
final class DocComments {
    private DocComments() {}

    /**
     * A source of the same length with nothing in it but the content of the doc comments.
     *
     * @param code the file without its comments, by which those are told from what looks like one in a string
     */
    static SourceCode of(SourceFile file, String code) {
        String text = file.text();
        char[] kept = new char[text.length()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = text.charAt(i) == '\n' ? '\n' : ' ';
        }
        int at = text.indexOf("/**");
        while (at >= 0) {
            int end = text.indexOf("*/", at + 3);
            int last = end < 0 ? text.length() : end;
            if (code.charAt(at) == ' ') {
                keep(text, at + 3, last, kept);
            }
            at = end < 0 ? -1 : text.indexOf("/**", end);
        }
        return new SourceCode(new SourceFile(file.path(), new String(kept)), Syntax.ANNOTATIONS);
    }

    /** Without the asterisk that begins a line. */
    private static void keep(String text, int from, int to, char[] kept) {
        boolean begins = true;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                begins = true;
            } else if (!(begins && c == '*')) {
                kept[i] = c;
                begins &= Character.isWhitespace(c);
            } else {
                begins = false;
            }
        }
    }
}
