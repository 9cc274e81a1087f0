package io.scatterguard.proxy.sources;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes a source apart into code, comments and strings, in one pass and without a grammar: characters of comments become
 * blanks, and of a string only the opening quote stays, as {@code "}, followed by {@link SourceCode#IN_STRING}. What does not
 * end, ends with its line or with the file.
 */
final class Masking {
    private final String text;
    private final Syntax syntax;
    private final char[] mask;
    private int at;
    /** The last character of code that is no blank, which tells a regex from a division. */
    private char before = '(';

    private @Nullable Map<String, List<Integer>> lineWords;

    private Masking(String text, Syntax syntax) {
        this.text = text;
        this.syntax = syntax;
        this.mask = text.toCharArray();
    }

    static String of(String text, Syntax syntax) {
        Masking masking = new Masking(text, syntax);
        while (masking.at < text.length()) {
            masking.step();
        }
        return new String(masking.mask);
    }

    private void step() {
        char c = text.charAt(at);
        if (isLineComment()) {
            blank(lineEnd(at));
        } else if (syntax.slashComments() && text.startsWith("/*", at)) {
            blank(after("*/", at + 2));
        } else if (syntax == Syntax.RUBY && text.startsWith("=begin", at) && isLineStart()) {
            blank(after("\n=end", at));
        } else if (isHeredoc()) {
            string(heredocEnd());
        } else if (syntax.isQuote(c)) {
            string(stringEnd(c));
        } else if (c == '/' && syntax.regexLiterals() && "(,=:[!&|?{};~".indexOf(before) >= 0) {
            string(regexEnd());
        } else {
            before = Character.isWhitespace(c) ? before : c;
            at++;
        }
    }

    private boolean isLineComment() {
        char c = text.charAt(at);
        return (syntax.slashComments() && text.startsWith("//", at))
                || (syntax.hashComments() && c == '#' && !(syntax == Syntax.PHP && text.startsWith("#[", at)));
    }

    private boolean isLineStart() {
        return at == 0 || text.charAt(at - 1) == '\n';
    }

    private int lineEnd(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private int after(String mark, int from) {
        int found = text.indexOf(mark, from);
        return found < 0 ? text.length() : found + mark.length();
    }

    private void blank(int end) {
        for (; at < end; at++) {
            mask[at] = mask[at] == '\n' ? '\n' : ' ';
        }
    }

    private void string(int end) {
        mask[at] = '"';
        Arrays.fill(mask, at + 1, end, SourceCode.IN_STRING);
        before = '"';
        at = end;
    }

    private int stringEnd(char quote) {
        String triple = String.valueOf(quote).repeat(3);
        if (syntax.tripleQuotes(quote) && text.startsWith(triple, at)) {
            return after(triple, at + 3);
        }
        int end = at + 1;
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c == quote) {
                return end + 1;
            }
            if (c == '\n' && !syntax.isMultiline(quote)) {
                return end;
            }
            end += c == '\\' ? 2 : 1;
        }
        return text.length();
    }

    /** A regex ends on its line, at the latest with it; a slash in brackets is part of it. */
    private int regexEnd() {
        boolean inClass = false;
        int lineEnd = lineEnd(at);
        for (int end = at + 1; end < lineEnd; end++) {
            char c = text.charAt(end);
            if (c == '\\') {
                end++;
            } else if (c == '[' || c == ']') {
                inClass = c == '[';
            } else if (c == '/' && !inClass) {
                return end + 1;
            }
        }
        return lineEnd;
    }

    private boolean isHeredoc() {
        return (syntax == Syntax.PHP && text.startsWith("<<<", at))
                || (syntax == Syntax.RUBY && (text.startsWith("<<~", at) || text.startsWith("<<-", at)));
    }

    /** After the first line from here on that begins with the same word; where there is none, after the sign. */
    private int heredocEnd() {
        int from = at + 3;
        while (from < text.length() && "\"' ".indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        String word = text.substring(from, identifierEnd(from));
        List<Integer> ends = word.isEmpty() ? List.of() : lineWords().getOrDefault(word, List.of());
        int found = Collections.binarySearch(ends, lineEnd(from));
        int next = found < 0 ? -found - 1 : found;
        return next < ends.size() ? ends.get(next) : Math.min(at + 3, text.length());
    }

    private int identifierEnd(int from) {
        int to = from;
        while (to < text.length() && Character.isJavaIdentifierPart(text.charAt(to))) {
            to++;
        }
        return to;
    }

    /** The words at the beginnings of lines, with where they end, so that no file makes one search after the other. */
    private Map<String, List<Integer>> lineWords() {
        if (lineWords == null) {
            Map<String, List<Integer>> words = new HashMap<>();
            for (int line = 0; line < text.length(); line = lineEnd(line) + 1) {
                int start = line;
                while (start < text.length() && (text.charAt(start) == ' ' || text.charAt(start) == '\t')) {
                    start++;
                }
                int end = identifierEnd(start);
                words.computeIfAbsent(text.substring(start, end), w -> new ArrayList<>())
                        .add(end);
            }
            lineWords = words;
        }
        return lineWords;
    }
}
