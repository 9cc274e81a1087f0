package io.scatterguard.tests.support;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * How one tracked collection is cut and who owns what, whatever the release.
 *
 * @param namespace for a time-series collection that of its buckets
 * @param key the shard key pattern
 * @param splits full keys, strictly ascending: where chunks meet
 * @param owners the shard of each chunk, one more than there are splits
 * @param options further fields of the collection's document: {@code unique}, {@code defaultCollation}, {@code
 *     timeseriesFields}, {@code unsplittable}
 */
public record LayoutTiling(
        String namespace, BsonDocument key, List<BsonDocument> splits, List<String> owners, BsonDocument options) {
    public LayoutTiling {
        splits = List.copyOf(splits);
        owners = List.copyOf(owners);
        if (owners.size() != splits.size() + 1) {
            throw new IllegalArgumentException(
                    "owners: " + owners.size() + " (expected: " + (splits.size() + 1) + ", one more than splits)");
        }
        for (BsonDocument split : splits) {
            if (!List.copyOf(split.keySet()).equals(List.copyOf(key.keySet()))) {
                throw new IllegalArgumentException("split: " + split + " (expected: the fields of " + key + ")");
            }
        }
    }

    /** All arguments in Extended JSON. */
    public static LayoutTiling of(String namespace, String key, List<String> splits, List<String> owners) {
        return new LayoutTiling(
                namespace,
                BsonDocument.parse(key),
                splits.stream().map(BsonDocument::parse).toList(),
                owners,
                new BsonDocument());
    }

    /** The same with {@code options}, in Extended JSON. */
    public LayoutTiling with(String options) {
        return new LayoutTiling(namespace, key, splits, owners, BsonDocument.parse(options));
    }

    /** The lower end of the chunk at {@code index}. */
    public BsonDocument min(int index) {
        return index == 0 ? whole(new BsonMinKey()) : splits.get(index - 1);
    }

    /** The upper end of the chunk at {@code index}. */
    public BsonDocument max(int index) {
        return index == splits.size() ? whole(new BsonMaxKey()) : splits.get(index);
    }

    private BsonDocument whole(BsonValue end) {
        BsonDocument bound = new BsonDocument();
        key.keySet().forEach(field -> bound.append(field, end));
        return bound;
    }
}
