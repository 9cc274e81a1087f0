package io.scatterguard.proxy.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of the file with the line of its key, before anything is known of its meaning. */
sealed interface ConfigNode {
    /** The line of its key, or where it starts if it has none; from 1. */
    int line();

    /** The line of what is at {@code path} below this node, for instance {@code rules[1].name}, or of the nearest there is. */
    default int lineAt(String path) {
        ConfigNode node = this;
        for (String step : path.split("[.\\[\\]]+")) {
            ConfigNode next = node.at(step);
            if (next == null) {
                break;
            }
            node = next;
        }
        return node.line();
    }

    /** What is at a key or an index directly below, or null. */
    default @Nullable ConfigNode at(String step) {
        return null;
    }

    /** What it is, for an error message. */
    String kind();

    /** Keys with values, in the order of the file. */
    record Mapping(int line, Map<String, ConfigNode> entries) implements ConfigNode {
        @Override
        public String kind() {
            return "a mapping";
        }

        @Override
        public @Nullable ConfigNode at(String step) {
            return entries.get(step);
        }
    }

    /** A list. */
    record Sequence(int line, List<ConfigNode> elements) implements ConfigNode {
        @Override
        public String kind() {
            return "a list";
        }

        @Override
        public @Nullable ConfigNode at(String step) {
            return elements.get(Integer.parseInt(step));
        }
    }

    /** A single value as it was written; {@code 6.0} stays {@code 6.0}, {@code off} stays {@code off}. */
    record Scalar(int line, String text, Type type) implements ConfigNode {
        /** What YAML takes it for; of use only where any value may stand. */
        enum Type {
            TEXT,
            NUMBER,
            BOOLEAN
        }

        @Override
        public String kind() {
            return "a single value";
        }

        /** The line only: the text may be a secret. */
        @Override
        public String toString() {
            return "Scalar[line " + line + "]";
        }
    }

    /** A key with nothing after it; as good as no key. */
    record Nothing(int line) implements ConfigNode {
        @Override
        public String kind() {
            return "nothing";
        }
    }
}
