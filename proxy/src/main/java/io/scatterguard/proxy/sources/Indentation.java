package io.scatterguard.proxy.sources;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The lines of a source with the types that they stand in, told by their indentation, as languages have it whose blocks
 * have no brackets.
 */
final class Indentation {
    private Indentation() {}

    /**
     * A type.
     *
     * @param name with those around it, {@code Shop::Order}
     * @param header where what follows its name begins
     * @param body the offsets of the first words of the lines in it, without those of types in it
     */
    record Block(String name, int offset, int header, List<Integer> body) {}

    private record Open(int indent, String name, Block type) {}

    /** The types that the words {@code class} and {@code module} begin. */
    static List<Block> types(SourceCode code) {
        List<Block> types = new ArrayList<>();
        Deque<Open> open = new ArrayDeque<>();
        String text = code.code();
        for (int line = 0; line < text.length(); ) {
            int first = line;
            while (first < text.length() && (text.charAt(first) == ' ' || text.charAt(first) == '\t')) {
                first++;
            }
            int end = text.indexOf('\n', first);
            int next = end < 0 ? text.length() : end + 1;
            int wordEnd = code.wordEnd(first);
            if (wordEnd > first) {
                take(code, first, first - line, wordEnd, open, types);
            }
            line = next;
        }
        return types;
    }

    private static void take(SourceCode code, int first, int indent, int wordEnd, Deque<Open> open, List<Block> types) {
        while (!open.isEmpty() && open.peek().indent() >= indent) {
            open.pop();
        }
        String word = code.code().substring(first, wordEnd);
        int name = code.skipBlanks(wordEnd);
        int nameEnd = code.wordEnd(name);
        if ((word.equals("class") || word.equals("module")) && nameEnd > name) {
            while (code.code().startsWith("::", nameEnd)) {
                nameEnd = code.wordEnd(nameEnd + 2);
            }
            String around = open.isEmpty() ? "" : open.peek().name() + "::";
            Block type = new Block(around + code.code().substring(name, nameEnd), first, nameEnd, new ArrayList<>());
            open.push(new Open(indent, type.name(), type));
            types.add(type);
        } else if (!open.isEmpty()) {
            open.peek().type().body().add(first);
        }
    }
}
