package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of known shapes: YAML with {@code baseline} as its only key. */
public final class BaselineFile {
    private static final OneKeyFile KIND =
            new OneKeyFile("policy", BaselineReader.KEY, "a baseline", "leave out what a rule may allow");

    private BaselineFile() {}

    /**
     * The shapes in {@code file}.
     *
     * @throws ConfigException if it cannot be read or anything in it is wrong, with everything that is
     */
    public static List<BaselineEntry> read(Path file) {
        return KIND.read(file, BaselineReader::of);
    }

    /**
     * The shapes in the text of such a file.
     *
     * @param source what the text is called in messages
     * @throws ConfigException if anything in it is wrong
     */
    public static List<BaselineEntry> parse(String yaml, String source) {
        return KIND.parse(yaml, source, BaselineReader::of);
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
