package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.KeyField;
import io.scatterguard.proxy.sources.Findings.Target;
import io.scatterguard.proxy.sources.Indentation.Block;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Mongoid's {@code shard_key} in a class in Ruby, in both of its notations. The collection is that of {@code store_in}, else
 * the plural of the class's name in small letters with those of its modules. Aliases of fields are followed, and an
 * association that a class belongs to has its foreign key (Mongoid documentation, "Sharding Configuration").
 */
final class MongoidDeclarations implements SourceDeclarations {
    @Override
    public boolean reads(String fileName) {
        return fileName.endsWith(".rb");
    }

    @Override
    public void read(SourceFile file, Findings found) {
        if (!file.text().contains("shard_key")) {
            return;
        }
        SourceCode code = new SourceCode(file, Syntax.RUBY);
        for (Block type : Indentation.types(code)) {
            Optional<Integer> statement = type.body().stream()
                    .filter(line -> isStatement(code, line, "shard_key"))
                    .findFirst();
            try {
                statement.ifPresent(at -> declare(code, type, at, found));
            } catch (SourceException e) {
                found.unreadable(code.place(e.offset()), "shard_key of " + type.name() + ": " + e.getMessage());
            }
        }
    }

    private static boolean isStatement(SourceCode code, int at, String word) {
        return code.code().startsWith(word, at) && code.wordEnd(at) == at + word.length();
    }

    private static void declare(SourceCode code, Block type, int at, Findings found) {
        Map<String, String> fields = fields(code, type);
        Items arguments = arguments(code, at + "shard_key".length());
        Optional<Items> hash =
                arguments.unnamed(0).filter(Items.class::isInstance).map(Items.class::cast);
        Items given = hash.orElse(arguments);
        boolean named = given.items().stream().allMatch(item -> item.name() != null);
        List<KeyField> key = named
                ? KeyLiterals.named(given, name -> field(name, fields))
                : KeyLiterals.names(given, name -> field(name, fields));
        boolean unique = hash.isPresent()
                && arguments
                        .named("unique")
                        .filter(value ->
                                value instanceof Word word && word.value().equals("true"))
                        .isPresent();
        found.declare(code.place(at), target(code, type, unique), key);
    }

    private static Target target(SourceCode code, Block type, boolean unique) {
        for (int line : type.body()) {
            if (isStatement(code, line, "store_in")) {
                Items options = arguments(code, line + "store_in".length());
                String database = options.text("database").orElse(null);
                String collection = options.text("collection").orElseGet(() -> collection(code, type));
                return new Target(database, collection, unique);
            }
        }
        return new Target(null, collection(code, type), unique);
    }

    /** A class that inherits is stored with the one it inherits from. */
    private static String collection(SourceCode code, Block type) {
        int next = code.skipBlanks(type.header());
        if (code.at(next) == '<') {
            throw new SourceException(
                    type.offset(),
                    "its collection is that of the class it inherits from (expected: store_in collection:)");
        }
        String name = underscored(type.name()).replace("/", "_");
        int last = name.lastIndexOf('_') + 1;
        return name.substring(0, last) + Plurals.rails(name.substring(last));
    }

    /** As Rails: {@code Shop::HTTPOrder} is {@code shop/http_order}. */
    private static String underscored(String name) {
        String path = name.replace("::", "/");
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            char before = i == 0 ? '/' : path.charAt(i - 1);
            char after = i + 1 < path.length() ? path.charAt(i + 1) : ' ';
            boolean ends = Character.isLowerCase(before) || Character.isDigit(before);
            boolean begins = Character.isUpperCase(before) && Character.isLowerCase(after);
            words.append(Character.isUpperCase(c) && (ends || begins) ? "_" : "")
                    .append(c);
        }
        return words.toString().toLowerCase(Locale.ROOT);
    }

    private static String field(String name, Map<String, String> fields) {
        int dot = name.indexOf('.');
        String first = dot < 0 ? name : name.substring(0, dot);
        return fields.getOrDefault(first, first) + (dot < 0 ? "" : name.substring(dot));
    }

    /** What names of fields stand for: aliases, associations and {@code id}. */
    private static Map<String, String> fields(SourceCode code, Block type) {
        Map<String, String> fields = new HashMap<>(Map.of("id", "_id"));
        for (int line : type.body()) {
            boolean belongs = isStatement(code, line, "belongs_to");
            if (belongs || isStatement(code, line, "field")) {
                Items arguments = arguments(code, code.wordEnd(line));
                Literal name = arguments.unnamed(0).orElse(arguments);
                if (name instanceof Word word && belongs) {
                    String key = arguments
                            .named("foreign_key")
                            .map(MongoidDeclarations::text)
                            .orElse(word.value() + "_id");
                    fields.put(word.value(), key);
                } else if (name instanceof Word word) {
                    arguments.named("as").map(MongoidDeclarations::text).ifPresent(as -> fields.put(as, word.value()));
                }
            }
        }
        return fields;
    }

    private static String text(Literal literal) {
        return literal instanceof Word word ? word.value() : Literal.requireText(literal);
    }

    /** The arguments of a call, in brackets or up to the end of the line that no comma ends. */
    private static Items arguments(SourceCode code, int from) {
        int start = from;
        while (start < code.length() && (code.at(start) == ' ' || code.at(start) == '\t')) {
            start++;
        }
        if (start < code.length() && code.at(start) == '(') {
            return LiteralReader.between(code, start);
        }
        int end = start;
        char last = ' ';
        while (end < code.length() && code.at(end) != ';' && (code.at(end) != '\n' || last == ',')) {
            char c = code.at(end);
            last = Character.isWhitespace(c) ? last : c;
            boolean opens = c == '(' || c == '[' || c == '{';
            end = Math.max(end, opens ? code.closing(end) : -1) + 1;
        }
        return LiteralReader.between(code, start, Math.min(end, code.length()));
    }
}
