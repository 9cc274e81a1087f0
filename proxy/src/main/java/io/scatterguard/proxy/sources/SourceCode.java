package io.scatterguard.proxy.sources;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A source with its comments and strings known, and its brackets matched. Offsets are those of the file. Every search goes
 * forward and takes time linear in the file.
 */
final class SourceCode {
    /** Stands in the {@linkplain #code() code} for each character of a string but its first. */
    static final char IN_STRING = '\u0000';

    private final SourceFile file;
    private final Syntax syntax;
    private final String code;
    private final int[] closing;
    private final int[] lineStarts;

    SourceCode(SourceFile file, Syntax syntax) {
        this.file = file;
        this.syntax = syntax;
        this.code = Masking.of(file.text(), syntax);
        this.closing = closing(code);
        this.lineStarts = IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(1, code.length())
                                .filter(i -> file.text().charAt(i - 1) == '\n'))
                .toArray();
    }

    private static int[] closing(String code) {
        int[] closing = new int[code.length()];
        Arrays.fill(closing, -1);
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '(' || c == '[' || c == '{') {
                open.push(i);
            } else if ((c == ')' || c == ']' || c == '}') && !open.isEmpty()) {
                closing[open.pop()] = i;
            }
        }
        return closing;
    }

    SourceFile file() {
        return file;
    }

    /** The text without comments and without the content of strings. */
    String code() {
        return code;
    }

    int length() {
        return code.length();
    }

    /** The character of code, a blank beyond the end. */
    char at(int offset) {
        return offset < code.length() ? code.charAt(offset) : ' ';
    }

    /** Where {@code offset} is, {@code path:line}. */
    String place(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        return file.path() + ":" + (found < 0 ? -found - 1 : found + 1);
    }

    /** Where the bracket at {@code open} is closed, −1 if it is not. */
    int closing(int open) {
        return closing[open];
    }

    /** The first offset from {@code from} on that is no white space, or the end. */
    int skipBlanks(int from) {
        int i = from;
        while (i < code.length() && Character.isWhitespace(code.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Where the word that begins at {@code from} ends; {@code from} itself if none does. */
    int wordEnd(int from) {
        int i = from;
        while (i < code.length() && isWordPart(code.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Whether the character at {@code offset} is part of a word. */
    boolean isWord(int offset) {
        return isWordPart(at(offset));
    }

    private static boolean isWordPart(char c) {
        return c != IN_STRING && (Character.isJavaIdentifierPart(c) || c == '$');
    }

    /** Where {@code word} stands as a whole word, from {@code from} on; −1 if nowhere. */
    int find(String word, int from) {
        int found = code.indexOf(word, from);
        while (found >= 0) {
            boolean begins = found == 0 || !isWordPart(code.charAt(found - 1));
            if (begins && !isWordPart(at(found + word.length()))) {
                return found;
            }
            found = code.indexOf(word, found + 1);
        }
        return -1;
    }

    /** Whether a string begins at {@code offset}. */
    boolean isString(int offset) {
        return at(offset) == '"';
    }

    int stringEnd(int start) {
        int end = start + 1;
        while (end < code.length() && code.charAt(end) == IN_STRING) {
            end++;
        }
        return end;
    }

    /** What the string that begins at {@code start} says; null if only the running program knows, or it needs decoding. */
    @Nullable String string(int start) {
        String quoted = file.text().substring(start, stringEnd(start));
        char quote = quoted.charAt(0);
        int marks =
                quoted.length() >= 6 && syntax.tripleQuotes(quote) && quoted.startsWith(("" + quote).repeat(3)) ? 3 : 1;
        boolean whole = quoted.length() >= 2 * marks && quoted.endsWith(String.valueOf(quote));
        if (!syntax.isQuote(quote) || !whole) {
            return null;
        }
        String content = quoted.substring(marks, quoted.length() - marks);
        boolean plain = content.indexOf('\\') < 0 && content.indexOf('\n') < 0;
        return plain && !syntax.interpolates(quote, content) ? content : null;
    }
}
