package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Literal.Computed;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Text;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The schemas and models in one source for mongoose. */
final class MongooseSource {
    /** How far a type in angle brackets may reach. */
    private static final int LONGEST_GENERICS = 1_000;

    /** How far back the name is looked for that something is given to. */
    private static final int LONGEST_NAME = 200;

    /** How far behind a decorator its class is looked for. */
    private static final int LONGEST_DECORATION = 2_000;

    private final SourceCode code;
    /** What is set on schemas afterwards, by the names of their variables and of the options. */
    private final Map<String, Map<String, Literal>> set;

    MongooseSource(SourceCode code) {
        this.code = code;
        this.set = set(code);
    }

    /**
     * A schema.
     *
     * @param offset where its expression begins
     * @param variable what it is called, empty for nothing
     * @param type the class that it decorates, in NestJS
     * @param options those that it is made with
     * @param set those that are set afterwards, which count
     */
    record Schema(
            SourceCode code,
            int offset,
            String variable,
            Optional<String> type,
            Optional<Items> options,
            Map<String, Literal> set) {
        Optional<Literal> option(String name) {
            return Optional.ofNullable(set.get(name)).or(() -> options.flatMap(items -> items.named(name)));
        }
    }

    /** A model: its name, its schema and, if given, its collection. */
    record Model(SourceCode code, String name, Literal schema, Optional<String> collection) {
        boolean isOf(Schema other) {
            if (schema instanceof Word word) {
                return !other.variable().isEmpty() && word.last().equals(other.variable());
            }
            return schema instanceof Computed && code == other.code() && schema.offset() == other.offset();
        }

        String names() {
            return name + "\n" + collection.orElse("");
        }
    }

    boolean setsPluralize() {
        int at = code.find("pluralize", 0);
        return at > 0 && code.at(at - 1) == '.' && code.at(code.wordEnd(at)) == '(';
    }

    List<Schema> schemas() {
        List<Schema> schemas = new ArrayList<>();
        for (int at = code.find("Schema", 0); at >= 0; at = code.find("Schema", at + 1)) {
            int open = call(at + "Schema".length());
            if (open >= 0) {
                schemas.add(at > 0 && code.at(at - 1) == '@' ? decorated(at, open) : constructed(at, open));
            }
        }
        return schemas;
    }

    private Schema constructed(int at, int open) {
        int start = at;
        while (start > 0 && (code.at(start - 1) == '.' || code.isWord(start - 1))) {
            start--;
        }
        int before = back(start);
        if (before >= 3 && code.code().startsWith("new", before - 3) && code.wordEnd(before - 3) == before) {
            start = before - 3;
        }
        String variable = variable(start);
        return new Schema(
                code,
                start,
                variable,
                Optional.empty(),
                items(arguments(code, open).unnamed(1)),
                set.getOrDefault(variable, Map.of()));
    }

    private Schema decorated(int at, int open) {
        Optional<Items> options = items(arguments(code, open).unnamed(0));
        int close = code.closing(open);
        String behind = code.code().substring(close, Math.min(code.length(), close + LONGEST_DECORATION));
        int type = behind.indexOf("class ");
        int name = type < 0 ? code.length() : code.skipBlanks(close + type + "class ".length());
        return new Schema(
                code, at - 1, "", Optional.of(code.code().substring(name, code.wordEnd(name))), options, Map.of());
    }

    private static Optional<Items> items(Optional<Literal> value) {
        return value.filter(Items.class::isInstance).map(Items.class::cast);
    }

    List<Model> models() {
        List<Model> models = new ArrayList<>();
        for (int at = code.find("model", 0); at >= 0; at = code.find("model", at + 1)) {
            int open = call(at + "model".length());
            if (open >= 0) {
                Items arguments = arguments(code, open);
                Optional<Literal> schema = arguments.unnamed(1);
                if (schema.isPresent() && arguments.unnamed(0).orElseThrow() instanceof Text name) {
                    Optional<String> collection =
                            arguments.unnamed(2).filter(Text.class::isInstance).map(Literal::requireText);
                    models.add(new Model(code, name.value(), schema.get(), collection));
                }
            }
        }
        return models;
    }

    /** What is set on schemas afterwards, {@code schema.set("shardKey", {…})}, by the names of their variables. */
    private static Map<String, Map<String, Literal>> set(SourceCode code) {
        Map<String, Map<String, Literal>> set = new HashMap<>();
        for (int at = code.code().indexOf(".set("); at >= 0; at = code.code().indexOf(".set(", at + 1)) {
            int open = at + ".set".length();
            Items arguments = arguments(code, open);
            Optional<Literal> value = arguments.unnamed(1);
            if (value.isPresent() && arguments.unnamed(0).orElseThrow() instanceof Text name) {
                set.computeIfAbsent(wordBefore(code, at), variable -> new HashMap<>())
                        .putIfAbsent(name.value(), value.get());
            }
        }
        set.remove("");
        return set;
    }

    /** The word that ends at {@code end}; empty if none does. */
    private static String wordBefore(SourceCode code, int end) {
        int from = end;
        while (from > Math.max(0, end - LONGEST_NAME) && code.isWord(from - 1)) {
            from--;
        }
        return code.code().substring(from, end);
    }

    private static Items arguments(SourceCode code, int open) {
        try {
            return LiteralReader.between(code, open);
        } catch (SourceException e) {
            return new Items(open, List.of());
        }
    }

    /** The bracket of a call whose name ends at {@code end}, perhaps after a type in angle brackets; −1 if it is none. */
    private int call(int end) {
        int at = code.skipBlanks(end);
        if (code.at(at) == '<') {
            int depth = 0;
            int limit = Math.min(code.length(), at + LONGEST_GENERICS);
            for (; at < limit; at++) {
                depth += code.at(at) == '<' ? 1 : code.at(at) == '>' && code.at(at - 1) != '=' ? -1 : 0;
                if (depth == 0) {
                    break;
                }
            }
            at = code.skipBlanks(at + 1);
        }
        return code.at(at) == '(' && code.closing(at) >= 0 ? at : -1;
    }

    /** The variable or property that the expression at {@code start} is given to; empty if it is none. */
    private String variable(int start) {
        int equals = back(start) - 1;
        if (equals < 0 || (code.at(equals) != '=' && code.at(equals) != ':')) {
            return "";
        }
        int statement = equals;
        while (statement > Math.max(0, equals - LONGEST_NAME) && "\n;{(".indexOf(code.at(statement - 1)) < 0) {
            statement--;
        }
        int typed = code.code().indexOf(':', statement);
        return wordBefore(code, back(typed >= 0 && typed < equals ? typed : equals));
    }

    /** The end of what stands before {@code at}, without blanks. */
    private int back(int at) {
        int end = at;
        while (end > 0 && Character.isWhitespace(code.at(end - 1))) {
            end--;
        }
        return end;
    }
}
