package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;

/** A file of sharding rules: YAML with {@code shardingRules} as its only key. */
public final class RulesFile {
    private static final OneKeyFile KIND = new OneKeyFile(
            "",
            ShardingRulesReader.KEY,
            "a rules file",
            "give collections of very many chunks \"shards\" in their place");

    private RulesFile() {}

    /**
     * The rules in {@code file}.
     *
     * @throws ConfigException if it cannot be read or any rule in it is wrong, with everything that is
     */
    public static List<ShardingRule> read(Path file) {
        return KIND.read(file, ShardingRulesReader::of);
    }

    /**
     * The rules in the text of such a file.
     *
     * @param source what the text is called in messages
     * @throws ConfigException if any rule in it is wrong
     */
    public static List<ShardingRule> parse(String yaml, String source) {
        return KIND.parse(yaml, source, ShardingRulesReader::of);
    }

    /**
     * The document in a text of YAML, as one in a rules file is read.
     *
     * @throws IllegalArgumentException if it is none
     */
    static BsonDocument document(String yaml) {
        List<ConfigError> errors = new ErrorList();
        if (YamlTree.parse(yaml, OneKeyFile.MAX_BYTES, errors) instanceof ConfigNode.Mapping mapping
                && errors.isEmpty()) {
            return BsonNode.document(mapping);
        }
        throw new IllegalArgumentException("not a document: " + errors);
    }
}
