package io.scatterguard.proxy.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of files: YAML with one key, which has a list.
 *
 * @param section where that key stands in a configuration; empty for its top
 * @param key that key
 * @param kind what such a file is called in messages, with its article
 * @param shorter what to do about one that is too long
 */
record OneKeyFile(String section, String key, String kind, String shorter) {
    /** The longest file that is read. */
    static final long MAX_BYTES = 64 << 20;

    /**
     * What {@code reader} makes of {@code file}.
     *
     * @param reader reads the list from a section that has the key and nothing else
     * @throws ConfigException if it cannot be read or anything in it is wrong, with everything that is
     */
    <T> List<T> read(Path file, Function<Section, List<T>> reader) {
        try {
            if (Files.isDirectory(file)) {
                throw unreadable(file, "a folder (expected: a file)");
            }
            return parse(text(file), file.toString(), reader);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** A device or a pipe has no size before it was read. */
    private String text(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes((int) MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw unreadable(file, "too long (expected: at most " + MAX_BYTES + " bytes; " + shorter + ")");
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private static ConfigException unreadable(Path file, String problem) {
        return new ConfigException(file.toString(), List.of(new ConfigError("", 0, problem)));
    }

    /**
     * Likewise of the text of such a file.
     *
     * @param source what the text is called in messages
     * @throws ConfigException if anything in it is wrong
     */
    <T> List<T> parse(String yaml, String source, Function<Section, List<T>> reader) {
        List<ConfigError> errors = new ErrorList();
        ConfigNode tree = YamlTree.parse(yaml, MAX_BYTES, errors);
        List<T> found = List.of();
        if (tree instanceof ConfigNode.Mapping mapping) {
            mapping.entries().keySet().stream()
                    .filter(other -> !other.equals(key))
                    .forEach(other -> errors.add(new ConfigError(
                            other,
                            mapping.lineAt(other),
                            "of no effect in " + kind + " (expected: " + key + " alone)")));
            ConfigNode own = mapping.entries().getOrDefault(key, new ConfigNode.Nothing(1));
            ConfigNode only = new ConfigNode.Mapping(mapping.line(), Map.of(key, own));
            Expansion expansion = new Expansion(Map.of(), Path.of(""));
            Section.Context context = new Section.Context(expansion, errors);
            found = reader.apply(
                    section.isEmpty()
                            ? Section.root(context, only)
                            : Section.root(context, new ConfigNode.Mapping(mapping.line(), Map.of(section, only)))
                                    .child(section));
        } else if (errors.isEmpty()) {
            errors.add(new ConfigError("", 1, "nothing in it (expected: " + key + ": and a list)"));
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(source, errors);
        }
        return found;
    }
}
