package io.scatterguard.proxy.validation;

import io.scatterguard.protocol.bson.BsonView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Counts what documents have at the fields of a shard key. It keeps no value. */
final class KeySample implements Consumer<BsonDocument> {
    /** Larger values are not compared when a command is routed, so its route is an upper bound. */
    private static final int MAX_ROUTED_BYTES = 64 * 1024;

    /** The most that a key could have before 4.4; later, every chunk bound and every document carries it all the same. */
    private static final int LARGE_BYTES = 512;

    /** An encoded document with one field of an empty name. */
    private static final int FRAME_BYTES = 7;

    private static final class Count {
        private int arrays;
        private int missing;
        private int large;
        private int unroutable;
    }

    private final Map<String, Count> counts = new LinkedHashMap<>();
    private int documents;

    KeySample(List<String> paths) {
        paths.forEach(path -> counts.put(path, new Count()));
    }

    @Override
    public void accept(BsonDocument document) {
        documents++;
        counts.forEach((path, count) -> look(document, path, count));
    }

    private static void look(BsonDocument document, String path, Count count) {
        @Nullable BsonValue value = document;
        for (String name : path.split("\\.", -1)) {
            value = value.isDocument() ? value.asDocument().get(name) : null;
            if (value == null) {
                count.missing++;
                return;
            }
            if (value.isArray()) {
                count.arrays++;
                return;
            }
        }
        int bytes = BsonView.encode(new BsonDocument("", value)).sizeBytes() - FRAME_BYTES;
        count.large += bytes > LARGE_BYTES ? 1 : 0;
        count.unroutable += bytes > MAX_ROUTED_BYTES ? 1 : 0;
    }

    void report(Findings findings) {
        counts.forEach((path, count) -> {
            if (count.arrays > 0) {
                findings.error(
                        "arrayInKey",
                        "an array in " + path + of(count.arrays)
                                + ": an index on it cannot support a shard key, and once the collection is sharded the"
                                + " server refuses such documents (ShardKeyNotFound)",
                        "choose a field that never holds an array");
            }
            if (count.missing > 0) {
                findings.warning(
                        "missingKeyField",
                        "no " + path + of(count.missing)
                                + ": it counts as null (from 4.4 on), so that all of them lie in the same chunk unless"
                                + " another field of the key tells them apart",
                        "give every document the field before you shard");
            }
            if (count.unroutable > 0) {
                findings.warning(
                        "largeKeyValue",
                        "more than 64 KiB in " + path + of(count.unroutable)
                                + ": commands with such a value are predicted as an upper bound",
                        "choose a shorter field");
            } else if (count.large > 0) {
                findings.note(
                        "largeKeyValue",
                        "more than 512 bytes in " + path + of(count.large)
                                + ": releases before 4.4 refuse it, and chunk bounds may become as large",
                        "choose a shorter field");
            }
        });
    }

    private String of(int count) {
        return String.format(Locale.ROOT, " in %,d of %,d sampled documents", count, documents);
    }
}
