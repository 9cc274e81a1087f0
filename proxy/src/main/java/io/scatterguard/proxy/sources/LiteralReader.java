package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Literal.Computed;
import io.scatterguard.proxy.sources.Literal.Item;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Text;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads values that are written out: strings, names, numbers, and lists and mappings of them in the notations of every
 * language that is scanned. What is anything else becomes {@link Computed} and is passed over.
 */
final class LiteralReader {
    /** Functions that make a list of what they are given. */
    private static final Set<String> LISTS = Set.of("array", "arrayOf", "listOf", "tuple", "Object.freeze");

    private static final int MAX_DEPTH = 50;

    private final SourceCode code;
    private int at;

    private LiteralReader(SourceCode code, int at) {
        this.code = code;
        this.at = at;
    }

    /**
     * What stands between the bracket at {@code open} and its closing one.
     *
     * @throws SourceException if it is not closed
     */
    static Items between(SourceCode code, int open) {
        return new LiteralReader(code, open).items(0);
    }

    /** Elements without brackets from {@code start} to {@code end}, like the arguments of a call in Ruby. */
    static Items between(SourceCode code, int start, int end) {
        return new LiteralReader(code, start).items(start, end, 0);
    }

    private Items items(int depth) {
        int open = at;
        int close = code.closing(open);
        if (close < 0 || depth > MAX_DEPTH) {
            throw new SourceException(open, "a bracket that is not closed");
        }
        at = open + 1;
        Items items = items(open, close, depth);
        at = close + 1;
        return items;
    }

    private Items items(int offset, int end, int depth) {
        List<Item> items = new ArrayList<>();
        at = code.skipBlanks(at);
        while (at < end) {
            items.add(item(end, depth));
            at = code.skipBlanks(at);
            if (at < end && code.at(at) == ',') {
                at = code.skipBlanks(at + 1);
            }
        }
        return new Items(offset, items);
    }

    private Item item(int end, int depth) {
        Literal first = primary(end, depth);
        int separator = separator(end);
        if (separator == 0) {
            return new Item(null, first);
        }
        at = code.skipBlanks(at + separator);
        return new Item(name(first), whole(primary(end, depth), end));
    }

    private static @Nullable String name(Literal literal) {
        if (literal instanceof Text text) {
            return text.value();
        }
        return literal instanceof Word word ? word.value() : "";
    }

    /**
     * How long the sign is that makes what was read a name: {@code :}, {@code =>} or {@code =}; 0 if there is none, and then
     * it is the value.
     */
    private int separator(int end) {
        int next = code.skipBlanks(at);
        char c = next < end ? code.at(next) : ',';
        char after = next + 1 < end ? code.at(next + 1) : ' ';
        boolean one = (c == ':' && after != ':') || (c == '=' && after != '=' && after != '>');
        if (one || (c == '=' && after == '>')) {
            at = next;
            return one ? 1 : 2;
        }
        return 0;
    }

    private Literal primary(int end, int depth) {
        int start = at;
        char c = code.at(at);
        if (code.isString(at)) {
            String value = code.string(at);
            at = code.stringEnd(at);
            return whole(value == null ? new Computed(start) : new Text(start, value), end);
        }
        if (c == '[' || c == '{' || c == '(') {
            return whole(items(depth + 1), end);
        }
        return word(start, end, depth);
    }

    private Literal word(int start, int end, int depth) {
        int from = code.at(start) == ':' || code.at(start) == '-' ? start + 1 : start;
        int to = from;
        int wordEnd = code.wordEnd(from);
        while (wordEnd > to) {
            to = wordEnd;
            boolean colons = code.at(to) == ':' && code.at(to + 1) == ':';
            int dots = code.at(to) == '.' ? 1 : colons ? 2 : 0;
            wordEnd = dots == 0 ? to : code.wordEnd(to + dots);
        }
        if (to == from) {
            return computed(start, end);
        }
        int textStart = code.at(start) == ':' ? from : start;
        String value = code.code().substring(textStart, to);
        at = to;
        int next = code.skipBlanks(at);
        if (next < end && code.at(next) == '(' && LISTS.contains(value)) {
            at = next;
            return whole(items(depth + 1), end);
        }
        return whole(new Word(start, value), end);
    }

    /** {@code value} if a comma, a sign of a name or the end follows, else what is computed from it. */
    private Literal whole(Literal value, int end) {
        int next = code.skipBlanks(at);
        if (next >= end || code.at(next) == ',' || separator(end) > 0) {
            return value;
        }
        if (code.code().startsWith("as", next) && code.code().startsWith("const", code.skipBlanks(next + 2))) {
            at = code.wordEnd(code.skipBlanks(next + 2));
            return value;
        }
        return computed(value.offset(), end);
    }

    /** Passes over what follows up to a comma outside brackets. */
    private Literal computed(int offset, int end) {
        while (at < end && code.at(at) != ',') {
            char c = code.at(at);
            boolean opens = c == '(' || c == '[' || c == '{';
            int close = opens ? code.closing(at) : -1;
            at = close >= 0 ? close + 1 : at + 1;
        }
        return new Computed(offset);
    }
}
