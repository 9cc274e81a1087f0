package io.scatterguard.proxy.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Parses YAML into {@link ConfigNode}s that know their lines, which binding straight to objects would lose. */
final class YamlTree {
    /** The longest configuration, in characters; a file of rules with the chunks of a cluster may be longer. */
    private static final long MAX_CHARACTERS = 3 << 20;

    private final YAMLParser parser;
    private final List<ConfigError> errors;

    private YamlTree(YAMLParser parser, List<ConfigError> errors) {
        this.parser = parser;
        this.errors = errors;
    }

    /** The tree of {@code yaml}; what is wrong is added to {@code errors}. */
    static ConfigNode parse(String yaml, List<ConfigError> errors) {
        return parse(yaml, MAX_CHARACTERS, errors);
    }

    /** Likewise, of up to {@code maxCharacters}. */
    static ConfigNode parse(String yaml, long maxCharacters, List<ConfigError> errors) {
        try (YAMLParser parser = factory(maxCharacters).createParser(yaml)) {
            YamlTree tree = new YamlTree(parser, errors);
            JsonToken first = parser.nextToken();
            ConfigNode root = first == null ? new ConfigNode.Nothing(1) : tree.node(first, "", 1);
            if (parser.nextToken() != null) {
                tree.error("", "a second YAML document (expected: one)");
            }
            if (root instanceof ConfigNode.Scalar || root instanceof ConfigNode.Sequence) {
                errors.add(new ConfigError(
                        "", root.line(), root.kind() + " (expected: a mapping with listeners and other keys)"));
            }
            return root;
        } catch (AbandonedException e) {
            return new ConfigNode.Nothing(1);
        } catch (JacksonException e) {
            errors.add(new ConfigError("", lineOf(e), "not YAML: " + problemOf(e)));
        } catch (IOException e) {
            errors.add(new ConfigError("", 0, "not YAML: " + e.getClass().getSimpleName()));
        }
        return new ConfigNode.Nothing(1);
    }

    private static YAMLFactory factory(long maxCharacters) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit((int) maxCharacters);
        return YAMLFactory.builder().loaderOptions(options).build();
    }

    private ConfigNode node(JsonToken token, String path, int line) throws IOException {
        if (parser.isCurrentAlias()) {
            error(path, "a YAML alias (expected: the value itself)");
            return new ConfigNode.Nothing(line);
        }
        return switch (token) {
            case START_OBJECT -> mapping(line, path);
            case START_ARRAY -> sequence(line, path);
            case VALUE_NULL -> new ConfigNode.Nothing(line);
            default ->
                isNothing() ? new ConfigNode.Nothing(line) : new ConfigNode.Scalar(line, parser.getText(), type(token));
        };
    }

    /** Whether there is not even a pair of quotation marks. */
    private boolean isNothing() throws IOException {
        return parser.getText().isEmpty()
                && parser.currentTokenLocation().getCharOffset()
                        == parser.currentLocation().getCharOffset();
    }

    private static ConfigNode.Scalar.Type type(JsonToken token) {
        if (token.isNumeric()) {
            return ConfigNode.Scalar.Type.NUMBER;
        }
        return token.isBoolean() ? ConfigNode.Scalar.Type.BOOLEAN : ConfigNode.Scalar.Type.TEXT;
    }

    private ConfigNode mapping(int line, String path) throws IOException {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            String keyPath = path.isEmpty() ? key : path + "." + key;
            int keyLine = line();
            ConfigNode value = node(parser.nextToken(), keyPath, keyLine);
            if (entries.putIfAbsent(key, value) != null) {
                error(keyPath, keyLine, "the key is there twice (expected: once)");
            }
        }
        return new ConfigNode.Mapping(line, entries);
    }

    private ConfigNode sequence(int line, String path) throws IOException {
        List<ConfigNode> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(node(token, path + "[" + elements.size() + "]", line()));
        }
        return new ConfigNode.Sequence(line, elements);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private void error(String path, String problem) {
        error(path, line(), problem);
    }

    /** One line can hold millions of aliases: what follows the last error that is listed is not read. */
    private void error(String path, int line, String problem) {
        errors.add(new ConfigError(path, line, problem));
        if (errors.size() > ErrorList.MAX) {
            throw new AbandonedException();
        }
    }

    private static final class AbandonedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AbandonedException() {
            super("too many errors", null, false, false);
        }
    }

    private static int lineOf(JacksonException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNr());
    }

    /** The parser's sentence without the excerpt it appends: the line may hold a password. */
    private static String problemOf(JacksonException e) {
        return e.getCause() instanceof MarkedYAMLException marked && marked.getProblem() != null
                ? marked.getProblem()
                : "it cannot be parsed from here on";
    }
}
