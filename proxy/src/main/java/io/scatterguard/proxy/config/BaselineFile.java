package io.scatterguard.proxy.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of known shapes: YAML with {@code baseline} as its only key. */
public final class BaselineFile {
    private static final long MAX_CHARACTERS = 64 << 20;

    private BaselineFile() {}

    /**
     * The shapes in {@code file}.
     *
     * @throws ConfigException if it cannot be read or anything in it is wrong, with everything that is
     */
    public static List<BaselineEntry> read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (CharacterCodingException e) {
            throw unreadable(file, "not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static ConfigException unreadable(Path file, String problem) {
        return new ConfigException(file.toString(), List.of(new ConfigError("", 0, problem)));
    }

    /**
     * The shapes in the text of such a file.
     *
     * @param source what the text is called in messages
     * @throws ConfigException if anything in it is wrong
     */
    public static List<BaselineEntry> parse(String yaml, String source) {
        List<ConfigError> errors = new ErrorList();
        ConfigNode tree = YamlTree.parse(yaml, MAX_CHARACTERS, errors);
        List<BaselineEntry> entries = List.of();
        if (tree instanceof ConfigNode.Mapping mapping) {
            mapping.entries().keySet().stream()
                    .filter(key -> !key.equals(BaselineReader.KEY))
                    .forEach(key -> errors.add(new ConfigError(
                            key, mapping.lineAt(key), "of no effect in a baseline (expected: baseline alone)")));
            ConfigNode own = mapping.entries().getOrDefault(BaselineReader.KEY, new ConfigNode.Nothing(1));
            ConfigNode policy = new ConfigNode.Mapping(mapping.line(), Map.of(BaselineReader.KEY, own));
            ConfigNode root = new ConfigNode.Mapping(mapping.line(), Map.of("policy", policy));
            Expansion expansion = new Expansion(Map.of(), Path.of(""));
            entries = BaselineReader.of(
                    Section.root(new Section.Context(expansion, errors), root).child("policy"));
        } else if (errors.isEmpty()) {
            errors.add(new ConfigError("", 1, "nothing in it (expected: baseline: and a list)"));
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(source, errors);
        }
        return entries;
    }

    /**
     * The text of a file with {@code entries}, which {@link #parse} reads back as they are.
     *
     * @param head lines of a comment at the top, without the sign of a comment
     */
    public static String text(List<String> head, Collection<BaselineEntry> entries) {
        StringBuilder text = new StringBuilder();
        head.forEach(line -> text.append("# ").append(line).append('\n'));
        text.append(BaselineReader.KEY).append(entries.isEmpty() ? ": []\n" : ":\n");
        for (BaselineEntry entry : entries) {
            text.append("  - id: ").append(FlowText.ofText(entry.id())).append('\n');
            field(text, "namespace", entry.namespace());
            field(text, "shape", entry.shape());
            if (entry.count() > 0) {
                text.append("    count: ").append(entry.count()).append('\n');
            }
            field(
                    text,
                    "lastSeen",
                    entry.lastSeen() == null ? null : entry.lastSeen().toString());
            field(text, "owner", entry.owner());
            field(text, "until", entry.until() == null ? null : entry.until().toString());
        }
        return text.toString();
    }

    private static void field(StringBuilder text, String key, @Nullable String value) {
        if (value != null) {
            text.append("    ")
                    .append(key)
                    .append(": ")
                    .append(FlowText.ofText(value))
                    .append('\n');
        }
    }
}
