package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of the file while it is read: typed values by key. A value that is wrong is reported with its path and line
 * and read as if it were not there, so that the rest is still checked.
 */
final class Section {
    /** What all sections of a file share. */
    record Context(Expansion expansion, List<ConfigError> errors) {}

    private final Context context;
    private final String path;
    private final int line;
    private final List<String> known;
    private final Map<String, ConfigNode> entries;
    private final boolean absent;

    private Section(Context context, String path, ConfigNode node) {
        this.context = context;
        this.path = path;
        this.line = node.line();
        this.known = ConfigKeys.in(path);
        this.absent = node instanceof ConfigNode.Nothing;
        if (node instanceof ConfigNode.Mapping mapping) {
            this.entries = mapping.entries();
        } else {
            this.entries = Map.of();
            if (!absent) {
                error(path, node.line(), node.kind() + " (expected: a mapping with " + String.join(", ", known) + ")");
            }
        }
        entries.forEach(this::requireKnown);
    }

    /** The whole file. */
    static Section root(Context context, ConfigNode node) {
        return new Section(context, "", node);
    }

    private void requireKnown(String key, ConfigNode value) {
        if (known.contains(key)) {
            return;
        }
        String moved = ConfigKeys.moved(pathOf(key));
        if (moved != null) {
            error(pathOf(key), value.line(), moved);
            return;
        }
        String hint = NearestName.of(key, known)
                .map(name -> "did you mean \"" + name + "\"?")
                .orElse("known here: " + String.join(", ", known));
        error(pathOf(key), value.line(), "unknown key (" + hint + ")");
    }

    /** Whether there is a value, right or wrong. */
    boolean has(String key) {
        return isSomething(node(key));
    }

    private static boolean isSomething(@Nullable ConfigNode node) {
        return node != null && !(node instanceof ConfigNode.Nothing);
    }

    /** Its key, for instance {@code policy.rules[0]}. */
    String path() {
        return path;
    }

    /** Whether there is no mapping at all: an empty one, {@code {}}, is one. */
    boolean isAbsent() {
        return absent;
    }

    /** Whether it holds no key at all. */
    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The mapping at {@code key}; an empty one if there is none. */
    Section child(String key) {
        ConfigNode node = node(key);
        return new Section(context, pathOf(key), node == null ? new ConfigNode.Nothing(line) : node);
    }

    /** The mappings in the list at {@code key}; none if there is no list. */
    List<Section> children(String key) {
        ConfigNode node = node(key);
        List<Section> sections = new ArrayList<>();
        if (node instanceof ConfigNode.Sequence sequence) {
            for (ConfigNode element : sequence.elements()) {
                sections.add(new Section(context, pathOf(key) + "[" + sections.size() + "]", element));
            }
        } else if (node != null && isSomething(node)) {
            error(pathOf(key), node.line(), node.kind() + " (expected: a list of mappings)");
        }
        return sections;
    }

    /** The mappings in the list at {@code key}, of which there must be at least one. */
    List<Section> requiredChildren(String key, String expected) {
        List<Section> sections = children(key);
        ConfigNode node = node(key);
        if (node instanceof ConfigNode.Sequence && sections.isEmpty()) {
            error(pathOf(key), node.line(), "an empty list (expected: " + expected + ")");
        } else if (!isSomething(node)) {
            error(pathOf(key), node == null ? line : node.line(), "missing (expected: " + expected + ")");
        }
        return sections;
    }

    Optional<String> text(String key) {
        return value(key, "a text", Function.identity());
    }

    /** A text for which {@code test} holds. */
    Optional<String> text(String key, String expected, Predicate<String> test) {
        return value(key, expected, text -> {
            if (!test.test(text)) {
                throw new IllegalArgumentException(expected);
            }
            return text;
        });
    }

    /** The path of a file; a relative one is relative to the configuration's folder. */
    Optional<Path> file(String key) {
        return value(key, "a file's path", text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("blank");
            }
            Path file = context.expansion().folder().resolve(text);
            context.expansion().reads().accept(file);
            return file;
        });
    }

    boolean flag(String key, boolean fallback) {
        return text(key, "true | false", text -> text.equals("true") || text.equals("false"))
                .map(Boolean::valueOf)
                .orElse(fallback);
    }

    int integer(String key, int fallback) {
        ConfigNode node = node(key);
        return node == null
                ? fallback
                : scalar(pathOf(key), node, Section::expectedInteger, Integer::valueOf)
                        .orElse(fallback);
    }

    private static String expectedInteger(String text) {
        return text.matches("-?\\d+") ? "a number within -2147483648..2147483647" : "a whole number";
    }

    long bytes(String key, long fallback) {
        return value(key, Quantities.SIZE, Quantities::bytes).orElse(fallback);
    }

    Duration duration(String key, Duration fallback) {
        return value(key, Quantities.DURATION, Quantities::duration).orElse(fallback);
    }

    /** One of the constants of {@code type}. */
    <E extends Enum<E> & Choice> Optional<E> choice(String key, Class<E> type) {
        return value(key, Choice.expected(type), text -> Choice.parse(text, type));
    }

    /** Constants of {@code type}: one, or a list of them. */
    <E extends Enum<E> & Choice> List<E> choices(String key, Class<E> type) {
        String expected = Choice.expected(type) + ", or a list of them";
        return values(key, text -> expected, text -> Choice.parse(text, type));
    }

    /** The value at {@code key}, read by {@code parser}, which rejects by an {@code IllegalArgumentException}. */
    <T> Optional<T> value(String key, String expected, Function<String, T> parser) {
        ConfigNode node = node(key);
        return node == null ? Optional.empty() : scalar(pathOf(key), node, text -> expected, parser);
    }

    /** The values at {@code key}: a single one, or a list. */
    <T> List<T> values(String key, Function<String, String> expected, Function<String, T> parser) {
        ConfigNode node = node(key);
        List<T> values = new ArrayList<>();
        if (node instanceof ConfigNode.Sequence sequence) {
            if (sequence.elements().isEmpty()) {
                error(pathOf(key), node.line(), "an empty list (expected: " + expected.apply("") + ")");
            }
            for (int i = 0; i < sequence.elements().size(); i++) {
                String at = pathOf(key) + "[" + i + "]";
                scalar(at, sequence.elements().get(i), expected, parser).ifPresent(values::add);
            }
        } else if (node != null) {
            scalar(pathOf(key), node, expected, parser).ifPresent(values::add);
        }
        return values;
    }

    /** A value that no message repeats. The parser's own message is used, so it must not repeat it either. */
    <T> Optional<T> secret(String key, String expected, Function<String, T> parser) {
        ConfigNode node = node(key);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof ConfigNode.Scalar scalar)) {
            error(pathOf(key), node.line(), node.kind() + " (expected: " + expected + ")");
            return Optional.empty();
        }
        try {
            return Optional.of(parser.apply(context.expansion().expand(scalar.text())));
        } catch (IllegalArgumentException e) {
            error(pathOf(key), node.line(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** A document of any content, see {@link BsonNode}. */
    Optional<BsonDocument> document(String key, String expected) {
        ConfigNode node = node(key);
        return isSomething(node) ? document(pathOf(key), node, expected) : Optional.empty();
    }

    /** How many elements the list at {@code key} has, right or wrong; 0 if there is no list. */
    int length(String key) {
        return node(key) instanceof ConfigNode.Sequence sequence
                ? sequence.elements().size()
                : 0;
    }

    /** Documents of any content; none if there is no list. */
    List<BsonDocument> documents(String key, String expected) {
        ConfigNode node = node(key);
        List<BsonDocument> documents = new ArrayList<>();
        if (node instanceof ConfigNode.Sequence sequence) {
            for (int i = 0; i < sequence.elements().size(); i++) {
                document(pathOf(key) + "[" + i + "]", sequence.elements().get(i), expected)
                        .ifPresent(documents::add);
            }
        } else if (node != null && isSomething(node)) {
            error(pathOf(key), node.line(), node.kind() + " (expected: a list: " + expected + ")");
        }
        return documents;
    }

    private Optional<BsonDocument> document(String at, @Nullable ConfigNode node, String expected) {
        if (node instanceof ConfigNode.Mapping mapping) {
            try {
                return Optional.of(BsonNode.document(mapping));
            } catch (IllegalArgumentException e) {
                error(at, node.line(), e.getMessage() + " (expected: " + expected + ")");
            }
        } else if (node != null) {
            error(at, node.line(), node.kind() + " (expected: " + expected + ")");
        }
        return Optional.empty();
    }

    /** Reports every key that is there, known as such, and not among {@code usable}. */
    void onlyOf(List<String> usable, String reason) {
        entries.forEach((key, value) -> {
            if (isSomething(value) && known.contains(key) && !usable.contains(key)) {
                error(pathOf(key), value.line(), "of no effect " + reason + " (remove it)");
            }
        });
    }

    /** Reports {@code problem} of the value at {@code key}. */
    void problem(String key, String problem) {
        ConfigNode node = node(key);
        error(pathOf(key), node == null ? line : node.line(), problem);
    }

    /** Whether {@code key} is there, be it with nothing after it; reports it as missing if not. */
    boolean require(String key, String expected) {
        boolean present = node(key) != null;
        if (!present) {
            error(pathOf(key), line, "missing (expected: " + expected + ")");
        }
        return present;
    }

    /** What {@code constructor} makes, or nothing if it rejects its values, which are then reported. */
    <T> Optional<T> build(Supplier<T> constructor) {
        try {
            return Optional.of(constructor.get());
        } catch (InvalidValuesException e) {
            ConfigNode self = new ConfigNode.Mapping(line, entries);
            e.problems().forEach(problem -> error(pathOf(problem.key()), self.lineAt(problem.key()), problem.text()));
            return Optional.empty();
        }
    }

    private <T> Optional<T> scalar(
            String at, ConfigNode node, Function<String, String> expected, Function<String, T> parser) {
        if (!(node instanceof ConfigNode.Scalar scalar)) {
            error(at, node.line(), node.kind() + " (expected: " + expected.apply("") + ")");
            return Optional.empty();
        }
        String text;
        try {
            text = context.expansion().expand(scalar.text());
        } catch (IllegalArgumentException e) {
            error(at, node.line(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        // The message shows what stands in the file: what was inserted into it may be a secret.
        String shown = Quoting.quoted(scalar.text());
        try {
            return Optional.of(parser.apply(text));
        } catch (IllegalArgumentException | DateTimeException e) {
            error(at, node.line(), shown + " (expected: " + expected.apply(text) + ")");
        }
        return Optional.empty();
    }

    private @Nullable ConfigNode node(String key) {
        if (!known.contains(key)) {
            throw new IllegalStateException("key " + pathOf(key) + ": not in ConfigKeys (expected: registered there)");
        }
        return entries.get(key);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private void error(String at, int atLine, String problem) {
        context.errors().add(new ConfigError(at, atLine, problem));
    }
}
