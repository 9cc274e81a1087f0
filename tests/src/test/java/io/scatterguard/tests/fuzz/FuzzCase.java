package io.scatterguard.tests.fuzz;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} on a collection, with a collation of its own or none, and documents that may be in the collection.
 *
 * @param releases the releases of the router that it is sent to
 */
record FuzzCase(
        Layout layout,
        BsonDocument filter,
        @Nullable BsonDocument collation,
        List<BsonDocument> documents,
        List<String> releases) {
    FuzzCase {
        documents = List.copyOf(documents);
    }

    /** Whether the effective collation is the simple one (§7). */
    boolean isSimple() {
        BsonDocument own = collation == null || collation.isEmpty() ? layout.collation() : collation;
        return own == null
                || own.isEmpty()
                || own.getString("locale", new BsonString("simple")).getValue().equals("simple");
    }

    BsonDocument command() {
        BsonDocument command = new BsonDocument("find", new BsonString("c")).append("filter", filter);
        return collation == null ? command : command.append("collation", collation);
    }

    FuzzCase with(BsonDocument otherFilter) {
        return new FuzzCase(layout, otherFilter, collation, documents, releases);
    }

    FuzzCase with(Layout otherLayout) {
        return new FuzzCase(otherLayout, filter, collation, documents, releases);
    }

    FuzzCase with(List<BsonDocument> otherDocuments) {
        return new FuzzCase(layout, filter, collation, otherDocuments, releases);
    }

    FuzzCase on(String release) {
        return new FuzzCase(layout, filter, collation, documents, List.of(release));
    }

    FuzzCase collated(@Nullable BsonDocument other) {
        return new FuzzCase(layout, filter, other, documents, releases);
    }
}
