package io.scatterguard.proxy.session;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a reply as it passed.
 *
 * @param facts {@link ReplyFacts#UNKNOWN} where nobody asked, or where it could not be read
 * @param document the whole body, where it was asked for and the reply is small enough
 * @param moreToCome whether another reply to the same request follows
 * @param notPrimary whether the server says that it is not the primary; false where nobody asked
 */
record ReadReply(ReplyFacts facts, @Nullable BsonDocument document, boolean moreToCome, boolean notPrimary) {}
