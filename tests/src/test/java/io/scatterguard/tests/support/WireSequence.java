package io.scatterguard.tests.support;

import java.util.List;
import org.bson.BsonDocument;

/** A kind-1 section of an OP_MSG: a named list of documents. */
public record WireSequence(String identifier, List<BsonDocument> documents) {
    public WireSequence {
        documents = List.copyOf(documents);
    }

    @Override
    public String toString() {
        return identifier + "[" + documents.size() + "]";
    }
}
