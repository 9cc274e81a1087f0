package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.Target;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Doctrine MongoDB ODM's {@code ShardKey} on a class in PHP, as an attribute or as an annotation in its doc comment. The
 * collection is that of {@code Document}, else the class's name without its namespace; {@code Document} may name the
 * database (Doctrine MongoDB ODM documentation, "Sharding").
 */
final class DoctrineDeclarations implements SourceDeclarations {
    /** How far before its class an attribute may stand. */
    private static final int LONGEST_PREAMBLE = 20_000;

    @Override
    public boolean reads(String fileName) {
        return fileName.endsWith(".php");
    }

    /** Something said of a class: by an attribute or an annotation. */
    private record Mark(SourceCode code, String name, int offset, int end, int arguments) {
        Items read() {
            return arguments < 0 ? new Items(offset, List.of()) : LiteralReader.between(code, arguments);
        }
    }

    @Override
    public void read(SourceFile file, Findings found) {
        if (!file.text().contains("ShardKey")) {
            return;
        }
        SourceCode code = new SourceCode(file, Syntax.PHP);
        NavigableMap<Integer, Mark> marks = new TreeMap<>();
        attributes(code).forEach(mark -> marks.put(mark.offset(), mark));
        annotations(DocComments.of(file, code.code())).forEach(mark -> marks.put(mark.offset(), mark));
        for (Mark mark : marks.values()) {
            if (mark.name().equals("ShardKey")) {
                try {
                    declare(code, mark, marks, found);
                } catch (SourceException e) {
                    found.unreadable(code.place(e.offset()), "ShardKey: " + e.getMessage());
                }
            }
        }
    }

    private static void declare(SourceCode code, Mark shardKey, NavigableMap<Integer, Mark> marks, Findings found) {
        int type = type(code, shardKey);
        int name = code.skipBlanks(type + "class".length());
        Items arguments = shardKey.read();
        Literal keys = arguments
                .named("keys")
                .or(() -> arguments.unnamed(0))
                .orElseThrow(() -> new SourceException(shardKey.offset(), "without keys"));
        boolean unique = arguments
                .named("unique")
                .filter(value -> value instanceof Word word && word.value().equals("true"))
                .isPresent();
        Optional<Mark> document = marks.subMap(Math.max(0, type - LONGEST_PREAMBLE), type).values().stream()
                .filter(mark -> mark.name().equals("Document") && type(code, mark) == type)
                .findFirst();
        Items options = document.map(Mark::read).orElse(new Items(type, List.of()));
        Target target = new Target(
                options.text("db").orElse(null),
                options.text("collection").orElse(code.code().substring(name, code.wordEnd(name))),
                unique);
        found.declare(code.place(shardKey.offset()), target, KeyLiterals.named(keys, UnaryOperator.identity()));
    }

    /** Where the word {@code class} of the class stands that a mark is about. */
    private static int type(SourceCode code, Mark mark) {
        int limit = Math.min(code.length(), mark.end() + LONGEST_PREAMBLE);
        for (int at = mark.end(); at < limit; at++) {
            char c = code.at(at);
            if (c == '(' || c == '[') {
                at = Math.max(at, code.closing(at));
            } else if (c == '{' || c == '}' || c == ';') {
                break;
            } else if (code.code().startsWith("class", at)
                    && code.wordEnd(at) == at + "class".length()
                    && Character.isWhitespace(code.at(at - 1))) {
                return at;
            }
        }
        throw new SourceException(mark.offset(), "no class follows");
    }

    private static List<Mark> attributes(SourceCode code) {
        List<Mark> marks = new ArrayList<>();
        String text = code.code();
        for (int at = text.indexOf("#["); at >= 0; at = text.indexOf("#[", at + 2)) {
            int close = code.closing(at + 1);
            int next = code.skipBlanks(at + 2);
            while (close >= 0 && next < close) {
                Mark mark = mark(code, next);
                marks.add(mark);
                next = code.skipBlanks(Math.max(mark.end(), next + 1));
                next = code.at(next) == ',' ? code.skipBlanks(next + 1) : next;
            }
        }
        return marks;
    }

    private static List<Mark> annotations(SourceCode comments) {
        List<Mark> marks = new ArrayList<>();
        String text = comments.code();
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            marks.add(mark(comments, at + 1));
        }
        return marks;
    }

    /** What is named from {@code start} on, perhaps with a namespace, and its arguments. */
    private static Mark mark(SourceCode code, int start) {
        int name = start;
        int end = code.wordEnd(start);
        while (code.at(end) == '\\') {
            name = end + 1;
            end = code.wordEnd(name);
        }
        int next = code.skipBlanks(end);
        int close = code.at(next) == '(' ? code.closing(next) : -1;
        String text = code.code().substring(name, end);
        return new Mark(code, text, start, close < 0 ? end : close + 1, close < 0 ? -1 : next);
    }
}
