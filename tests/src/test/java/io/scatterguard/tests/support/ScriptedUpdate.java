package io.scatterguard.tests.support;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonValue;

/** The {@code update} command over a list of documents: replacement, {@code $set} and {@code $inc}, upsert, multi. */
final class ScriptedUpdate {
    private ScriptedUpdate() {}

    static BsonDocument run(List<BsonDocument> stored, BsonArray updates) {
        int matched = 0;
        int modified = 0;
        BsonArray upserted = new BsonArray();
        for (int i = 0; i < updates.size(); i++) {
            BsonDocument update = updates.get(i).asDocument();
            BsonDocument filter = update.getDocument("q");
            boolean multi = update.getBoolean("multi", BsonBoolean.FALSE).getValue();
            List<BsonDocument> found = stored.stream()
                    .filter(document -> CatalogFilter.matches(filter, document))
                    .limit(multi ? Long.MAX_VALUE : 1)
                    .toList();
            for (BsonDocument document : found) {
                BsonDocument changed = changed(document, update.getDocument("u"));
                modified += changed.equals(document) ? 0 : 1;
                stored.replaceAll(other -> other.equals(document) ? changed : other);
            }
            matched += found.size();
            if (found.isEmpty()
                    && update.getBoolean("upsert", BsonBoolean.FALSE).getValue()) {
                BsonValue id = upsert(stored, filter, update.getDocument("u"));
                upserted.add(new BsonDocument("index", new BsonInt32(i)).append("_id", id));
            }
        }
        BsonDocument reply = ScriptedData.n(matched + upserted.size()).append("nModified", new BsonInt32(modified));
        return upserted.isEmpty() ? reply : reply.append("upserted", upserted);
    }

    private static BsonValue upsert(List<BsonDocument> stored, BsonDocument filter, BsonDocument change) {
        BsonDocument seed = new BsonDocument();
        filter.forEach((field, value) -> {
            if (!field.startsWith("$") && !value.isDocument()) {
                seed.append(field, value);
            }
        });
        BsonDocument document = new BsonDocument("_id", seed.getOrDefault("_id", new BsonObjectId()));
        document.putAll(changed(seed, change));
        stored.add(document);
        return document.get("_id");
    }

    private static BsonDocument changed(BsonDocument document, BsonDocument change) {
        BsonDocument changed = new BsonDocument();
        if (change.isEmpty() || !change.getFirstKey().startsWith("$")) {
            if (document.containsKey("_id")) {
                changed.append("_id", document.get("_id"));
            }
            changed.putAll(change);
            return changed;
        }
        changed.putAll(document);
        change.forEach((operator, fields) -> fields.asDocument().forEach((field, operand) -> {
            switch (operator) {
                case "$set" -> changed.put(field, operand);
                case "$inc" ->
                    changed.put(
                            field,
                            sum(changed.getNumber(field, new BsonInt32(0)).longValue(), operand));
                default ->
                    throw new IllegalArgumentException("update operator: " + operator + " (expected: $set or $inc)");
            }
        }));
        return changed;
    }

    private static BsonValue sum(long before, BsonValue operand) {
        long sum = before + operand.asNumber().longValue();
        return operand.isInt32() ? new BsonInt32((int) sum) : new BsonInt64(sum);
    }
}
