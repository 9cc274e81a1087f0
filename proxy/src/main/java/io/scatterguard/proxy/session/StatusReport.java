package io.scatterguard.proxy.session;

import org.bson.BsonDocument;

/** Where the proxy stands, as the status command answers it. Called on event loops: never blocks. */
public interface StatusReport {
    /** A new document, without {@code ok}. */
    BsonDocument document();
}
