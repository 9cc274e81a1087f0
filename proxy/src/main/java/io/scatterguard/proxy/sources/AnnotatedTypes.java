package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Literal.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The annotated types and members of a source in Java or Kotlin, found without a grammar. */
final class AnnotatedTypes {
    private static final Set<String> TYPES = Set.of("class", "record", "interface");
    private static final Set<String> MODIFIERS = Set.of(
            "public",
            "protected",
            "private",
            "internal",
            "abstract",
            "final",
            "open",
            "static",
            "sealed",
            "non",
            "data",
            "value",
            "inner",
            "strictfp");

    private final SourceCode code;
    private final List<Annotated> types = new ArrayList<>();

    /**
     * An annotation.
     *
     * @param name without its package
     * @param arguments the offset of the bracket that begins them, −1 for none
     */
    record Annotation(String name, int offset, int arguments) {
        Items read(SourceCode code) {
            return arguments < 0 ? new Items(offset, List.of()) : LiteralReader.between(code, arguments);
        }
    }

    /**
     * A type with the annotations before it.
     *
     * @param header where what follows its name begins
     */
    record Annotated(String name, List<Annotation> annotations, int header) {
        Optional<Annotation> annotation(String name) {
            return annotations.stream().filter(a -> a.name().equals(name)).findFirst();
        }
    }

    private AnnotatedTypes(SourceCode code) {
        this.code = code;
    }

    static List<Annotated> of(SourceCode code) {
        AnnotatedTypes found = new AnnotatedTypes(code);
        found.scan();
        return found.types;
    }

    private void scan() {
        List<Annotation> pending = new ArrayList<>();
        int at = 0;
        while ((at = code.skipBlanks(at)) < code.length()) {
            if (code.at(at) == '@' && code.wordEnd(at + 1) > at + 1) {
                Annotation annotation = annotation(code, at);
                pending.add(annotation);
                at = end(code, annotation);
                continue;
            }
            int wordEnd = code.wordEnd(at);
            String word = code.code().substring(at, wordEnd);
            if (TYPES.contains(word)) {
                int name = code.skipBlanks(wordEnd);
                at = code.wordEnd(name);
                if (at > name && !pending.isEmpty()) {
                    types.add(new Annotated(code.code().substring(name, at), List.copyOf(pending), at));
                }
                pending.clear();
            } else if (!MODIFIERS.contains(word) && !(code.at(at) == '-' && !pending.isEmpty())) {
                pending.clear();
            }
            at = Math.max(at + 1, Math.max(wordEnd, at));
        }
    }

    /** The annotation whose sign is at {@code at}. */
    static Annotation annotation(SourceCode code, int at) {
        int end = code.wordEnd(at + 1);
        int start = at + 1;
        // Packages, and Kotlin's targets: @field:Field.
        while ((code.at(end) == '.' || code.at(end) == ':') && code.wordEnd(end + 1) > end + 1) {
            start = end + 1;
            end = code.wordEnd(start);
        }
        int next = code.skipBlanks(end);
        return new Annotation(code.code().substring(start, end), at, code.at(next) == '(' ? next : -1);
    }

    /** Where what follows the annotation begins. */
    static int end(SourceCode code, Annotation annotation) {
        int open = annotation.arguments();
        int close = open < 0 ? -1 : code.closing(open);
        if (close >= 0) {
            return close + 1;
        }
        int end = code.wordEnd(annotation.offset() + 1);
        while ((code.at(end) == '.' || code.at(end) == ':') && code.wordEnd(end + 1) > end + 1) {
            end = code.wordEnd(end + 1);
        }
        return end;
    }
}
