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
import org.bson.BsonDocument;

/** A file of sharding rules: YAML with {@code shardingRules} as its only key. */
public final class RulesFile {
    /** The longest file that is read: about half a million chunks. */
    static final long MAX_BYTES = 64 << 20;

    private RulesFile() {}

    /**
     * The rules in {@code file}.
     *
     * @throws ConfigException if it cannot be read or any rule in it is wrong, with everything that is
     */
    public static List<ShardingRule> read(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw unreadable(file, "a folder (expected: a file)");
            }
            return parse(text(file), file.toString());
        } catch (CharacterCodingException e) {
            throw unreadable(file, "not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** A device or a pipe has no size before it was read. */
    private static String text(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes((int) MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw unreadable(
                    file,
                    "too long (expected: at most " + MAX_BYTES
                            + " bytes; give collections of very many chunks \"shards\" in their place)");
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
     * The rules in the text of such a file.
     *
     * @param source what the text is called in messages
     * @throws ConfigException if any rule in it is wrong
     */
    public static List<ShardingRule> parse(String yaml, String source) {
        List<ConfigError> errors = new ErrorList();
        ConfigNode tree = YamlTree.parse(yaml, MAX_BYTES, errors);
        List<ShardingRule> rules = List.of();
        if (tree instanceof ConfigNode.Mapping mapping) {
            mapping.entries().keySet().stream()
                    .filter(key -> !key.equals(ShardingRulesReader.KEY))
                    .forEach(key -> errors.add(new ConfigError(
                            key, mapping.lineAt(key), "of no effect in a rules file (expected: shardingRules alone)")));
            ConfigNode own = mapping.entries().getOrDefault(ShardingRulesReader.KEY, new ConfigNode.Nothing(1));
            ConfigNode only = new ConfigNode.Mapping(mapping.line(), Map.of(ShardingRulesReader.KEY, own));
            Expansion expansion = new Expansion(Map.of(), Path.of(""));
            rules = ShardingRulesReader.of(Section.root(new Section.Context(expansion, errors), only));
        } else if (errors.isEmpty()) {
            errors.add(new ConfigError("", 1, "nothing in it (expected: shardingRules: and a list)"));
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(source, errors);
        }
        return rules;
    }

    /**
     * The document in a text of YAML, as one in a rules file is read.
     *
     * @throws IllegalArgumentException if it is none
     */
    static BsonDocument document(String yaml) {
        List<ConfigError> errors = new ErrorList();
        if (YamlTree.parse(yaml, MAX_BYTES, errors) instanceof ConfigNode.Mapping mapping && errors.isEmpty()) {
            return BsonNode.document(mapping);
        }
        throw new IllegalArgumentException("not a document: " + errors);
    }
}
