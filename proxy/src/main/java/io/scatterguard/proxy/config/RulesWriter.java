package io.scatterguard.proxy.config;

import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of sharding rules that {@link RulesFile} reads back as they are, value by value and type by type. A chunk
 * stands on a line of its own. Not thread-safe.
 */
public final class RulesWriter {
    /** The key that the server gives to what it tracks and does not split. */
    private static final BsonDocument UNSPLITTABLE_KEY = new BsonDocument("_id", new BsonInt32(1));

    private final Writer out;
    private boolean empty = true;

    /**
     * @param out takes the text; stays open
     * @param head lines of a comment at the top, without the sign of a comment
     */
    public RulesWriter(Writer out, List<String> head) throws IOException {
        this.out = out;
        for (String line : head) {
            comment("", line);
        }
        out.write(ShardingRulesReader.KEY + ":");
    }

    /**
     * Adds a rule.
     *
     * @param notes lines of a comment above it, for instance where it comes from
     */
    public void rule(ShardingRule rule, List<String> notes) throws IOException {
        out.write("\n");
        empty = false;
        for (String note : notes) {
            comment("  ", note);
        }
        if (rule instanceof DatabaseRule database) {
            line("  - database: ", FlowText.ofText(database.database()));
            line("    primary: ", FlowText.ofText(database.primary()));
        } else if (rule instanceof ViewRule view) {
            line("  - namespace: ", FlowText.ofText(view.namespace().fullName()));
            line("    viewOn: ", FlowText.ofText(view.viewOn().fullName()));
            list("pipeline", view.pipeline());
            collation(view.collation());
        } else if (rule instanceof CollectionRule collection) {
            collection(collection);
        } else if (rule instanceof ClusterShardsRule cluster) {
            String ids = cluster.ids().stream().map(FlowText::ofText).collect(Collectors.joining(", "));
            line("  - " + ClusterShardsRule.KEY + ": ", "[" + ids + "]");
        }
    }

    /** Ends the file. */
    public void end() throws IOException {
        out.write(empty ? " []\n" : "");
        out.flush();
    }

    private void collection(CollectionRule rule) throws IOException {
        line("  - namespace: ", FlowText.ofText(rule.namespace().fullName()));
        if (!(rule.distribution() instanceof Unsplittable) || !rule.key().equals(UNSPLITTABLE_KEY)) {
            line("    key: ", FlowText.of(rule.key()));
        }
        if (rule.unique()) {
            line("    unique: ", "true");
        }
        collation(rule.collation());
        TimeseriesRule timeseries = rule.timeseries();
        if (timeseries != null) {
            timeseries(timeseries);
        }
        if (!rule.uniqueIndexes().isEmpty()) {
            list("uniqueIndexes", rule.uniqueIndexes());
        }
        distribution(rule.distribution());
    }

    private void distribution(Distribution distribution) throws IOException {
        if (distribution instanceof Shards shards) {
            line("    shards: ", Integer.toString(shards.count()));
            if (shards.bounds() != Bounds.FRESH) {
                line("    bounds: ", shards.bounds().text());
            }
        } else if (distribution instanceof SplitAt split) {
            line("    shards: ", Integer.toString(split.shards()));
            list("splitAt", split.points());
        } else if (distribution instanceof Unsplittable unsplittable) {
            line("    unsplittable: ", FlowText.ofText(unsplittable.shard()));
        } else if (distribution instanceof Chunks chunks) {
            out.write("    chunks:\n");
            for (ChunkRule chunk : chunks.chunks()) {
                line("      - {min: ", FlowText.of(chunk.min()) + ", shard: " + FlowText.ofText(chunk.shard()) + "}");
            }
        }
    }

    private void timeseries(TimeseriesRule rule) throws IOException {
        out.write("    timeseries:\n");
        line("      timeField: ", FlowText.ofText(rule.timeField()));
        if (rule.metaField() != null) {
            line("      metaField: ", FlowText.ofText(rule.metaField()));
        }
        if (rule.granularity() != null) {
            line("      granularity: ", FlowText.ofText(rule.granularity()));
        }
        if (rule.bucketMaxSpanSeconds() != null) {
            line("      bucketMaxSpanSeconds: ", rule.bucketMaxSpanSeconds().toString());
        }
        if (rule.bucketRoundingSeconds() != null) {
            line("      bucketRoundingSeconds: ", rule.bucketRoundingSeconds().toString());
        }
    }

    private void collation(@Nullable BsonDocument collation) throws IOException {
        if (collation != null) {
            line("    collation: ", FlowText.of(collation));
        }
    }

    private void list(String key, List<BsonDocument> documents) throws IOException {
        out.write("    " + key + ":" + (documents.isEmpty() ? " []\n" : "\n"));
        for (BsonDocument document : documents) {
            line("      - ", FlowText.of(document));
        }
    }

    private void line(String before, String value) throws IOException {
        out.write(before);
        out.write(value);
        out.write("\n");
    }

    /** A name of a file may hold what YAML refuses even in a comment. */
    private void comment(String indent, String line) throws IOException {
        StringBuilder clean = new StringBuilder();
        line.codePoints()
                .map(c -> Character.isISOControl(c) || !Character.isDefined(c) || isSpecial(c) ? '?' : c)
                .forEach(clean::appendCodePoint);
        out.write((indent + "# " + clean).stripTrailing() + "\n");
    }

    private static boolean isSpecial(int c) {
        return (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) || c == '\u2028' || c == '\u2029';
    }

    /**
     * Whether {@code document} means the same when it is read back: it does not where it holds sub-documents that look like
     * Extended JSON. A regex in two fields may come back as one value.
     */
    public static boolean keeps(BsonDocument document) {
        if (!mayBeMistaken(document)) {
            return true;
        }
        try {
            BsonDocument read = RulesFile.document(FlowText.of(document));
            return normal(read).equals(normal(document));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean mayBeMistaken(BsonValue value) {
        if (value.isArray()) {
            return value.asArray().stream().anyMatch(RulesWriter::mayBeMistaken);
        }
        if (value instanceof BsonJavaScriptWithScope code) {
            return mayBeMistaken(code.getScope());
        }
        return value.isDocument()
                && value.asDocument().entrySet().stream()
                        .anyMatch(field -> field.getKey().startsWith("$") || mayBeMistaken(field.getValue()));
    }

    private static BsonValue normal(BsonValue value) {
        if (value.isArray()) {
            return new BsonArray(
                    value.asArray().stream().map(RulesWriter::normal).toList());
        }
        if (!value.isDocument()) {
            return value;
        }
        BsonDocument document = value.asDocument();
        BsonValue pattern = document.get("$regex");
        BsonValue options = document.get("$options");
        if (document.size() == 2 && pattern != null && pattern.isString() && options != null && options.isString()) {
            return new BsonRegularExpression(
                    pattern.asString().getValue(), options.asString().getValue());
        }
        BsonDocument normal = new BsonDocument();
        document.forEach((name, field) -> normal.append(name, normal(field)));
        return normal;
    }
}
