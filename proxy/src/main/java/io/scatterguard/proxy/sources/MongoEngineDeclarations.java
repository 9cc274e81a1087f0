package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.Target;
import io.scatterguard.proxy.sources.Indentation.Block;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Text;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * MongoEngine's {@code shard_key} in the {@code meta} of a document in Python; always by range. The collection is that of
 * {@code meta}, else the class's name in small letters with an underscore before each capital but the first; names of
 * fields are followed to their {@code db_field} (MongoEngine documentation, "Defining documents").
 */
final class MongoEngineDeclarations implements SourceDeclarations {
    private static final Set<String> ROOTS = Set.of("Document", "DynamicDocument");

    @Override
    public boolean reads(String fileName) {
        return fileName.endsWith(".py");
    }

    @Override
    public void read(SourceFile file, Findings found) {
        if (!file.text().contains("shard_key")) {
            return;
        }
        SourceCode code = new SourceCode(file, Syntax.PYTHON);
        for (Block type : Indentation.types(code)) {
            try {
                declare(code, type, found);
            } catch (SourceException e) {
                found.unreadable(code.place(e.offset()), "meta of " + type.name() + ": " + e.getMessage());
            }
        }
    }

    private static void declare(SourceCode code, Block type, Findings found) {
        for (int line : type.body()) {
            Optional<Integer> value = assigned(code, line);
            if (value.isPresent() && code.code().startsWith("meta", line) && code.wordEnd(line) == line + 4) {
                Optional<Items> meta = meta(code, value.get());
                if (meta.isPresent()) {
                    Literal key = meta.get().named("shard_key").orElseThrow();
                    Items names = key instanceof Items items ? items : new Items(key.offset(), List.of());
                    if (names.items().isEmpty()) {
                        throw new SourceException(key.offset(), "its shard_key is not written out");
                    }
                    Map<String, String> fields = fields(code, type);
                    found.declare(
                            code.place(key.offset()),
                            Target.of(collection(code, type, meta.get())),
                            KeyLiterals.names(names, name -> field(name, fields)));
                    return;
                }
            }
        }
    }

    /** Where the value begins that the line gives to its first word. */
    private static Optional<Integer> assigned(SourceCode code, int line) {
        int next = code.skipBlanks(code.wordEnd(line));
        return code.at(next) == '=' && code.at(next + 1) != '='
                ? Optional.of(code.skipBlanks(next + 1))
                : Optional.empty();
    }

    /** The mapping if it names a shard key. */
    private static Optional<Items> meta(SourceCode code, int at) {
        boolean dict = code.code().startsWith("dict", at) && code.at(at + 4) == '(';
        int open = dict ? at + 4 : at;
        if (code.at(open) != '{' && !dict) {
            return Optional.empty();
        }
        Items meta = LiteralReader.between(code, open);
        return meta.named("shard_key").isPresent() ? Optional.of(meta) : Optional.empty();
    }

    /** A class of documents that inherits from another one is stored with it. */
    private static String collection(SourceCode code, Block type, Items meta) {
        Optional<String> given = meta.text("collection");
        if (given.isPresent()) {
            return given.get();
        }
        int open = code.skipBlanks(type.header());
        boolean root = code.at(open) == '('
                && LiteralReader.between(code, open).items().stream()
                        .anyMatch(item -> item.value() instanceof Word word && ROOTS.contains(word.last()));
        if (!root) {
            throw new SourceException(
                    type.offset(), "it may be stored with the class it inherits from (expected: 'collection' in meta)");
        }
        String name = type.name().substring(type.name().lastIndexOf(':') + 1);
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            words.append(i > 0 && Character.isUpperCase(c) ? "_" : "").append(Character.toLowerCase(c));
        }
        return words.toString();
    }

    private static String field(String name, Map<String, String> fields) {
        String[] path = name.split("\\.", 2);
        boolean id = path[0].equals("pk") || path[0].equals("id");
        return fields.getOrDefault(path[0], id ? "_id" : path[0]) + (path.length > 1 ? "." + path[1] : "");
    }

    /** The names in the documents of fields that are called otherwise there. */
    private static Map<String, String> fields(SourceCode code, Block type) {
        Map<String, String> fields = new HashMap<>();
        for (int line : type.body()) {
            Optional<Integer> value = assigned(code, line);
            int open = value.isEmpty() ? code.length() : nameEnd(code, value.get());
            if (code.at(open) == '(' && code.closing(open) >= 0) {
                Items arguments = LiteralReader.between(code, open);
                String name = code.code().substring(line, code.wordEnd(line));
                boolean primary = arguments
                        .named("primary_key")
                        .filter(given ->
                                given instanceof Word word && word.value().equals("True"))
                        .isPresent();
                if (primary) {
                    fields.put(name, "_id");
                } else if (arguments.named("db_field").orElse(null) instanceof Text field) {
                    fields.put(name, field.value());
                }
            }
        }
        return fields;
    }

    /** Where a name with dots in it ends. */
    private static int nameEnd(SourceCode code, int from) {
        int at = from;
        while (code.at(at) == '.' || code.wordEnd(at) > at) {
            at = Math.max(at + 1, code.wordEnd(at));
        }
        return at;
    }
}
