package io.scatterguard.tests.fuzz;

import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.backend.QueryMatcher;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import io.netty.buffer.Unpooled;
import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * Whether documents match a filter, by the matcher of mongo-java-server. {@code MatcherProofTest} shows on what it is right,
 * {@link MatcherDomain} says so for a case.
 */
final class Matcher {
    private final QueryMatcher matcher = new DefaultQueryMatcher();
    private final Document filter;
    private final boolean folded;

    /** @param folded whether upper and lower case are one, as in the collation of the generator */
    Matcher(BsonDocument filter, boolean folded) {
        this.folded = folded;
        this.filter = decoded(filter);
    }

    boolean matches(BsonDocument document) {
        return matcher.matches(decoded(document), filter);
    }

    private Document decoded(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        BsonDocument encoded = folded ? lowerCase(document).asDocument() : document;
        new BsonDocumentCodec()
                .encode(
                        new BsonBinaryWriter(bytes),
                        encoded,
                        EncoderContext.builder().build());
        return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(bytes.toByteArray()));
    }

    /** With every string in lower case, but not the arguments of {@code $type} and paths, which are so already. */
    private static BsonValue lowerCase(BsonValue value) {
        if (value.isString()) {
            String text = value.asString().getValue();
            return new BsonString(TypeNames.CLASSES.containsKey(text) ? text : text.toLowerCase(Locale.ROOT));
        } else if (value.isDocument()) {
            BsonDocument lower = new BsonDocument();
            value.asDocument().forEach((name, member) -> lower.append(name, lowerCase(member)));
            return lower;
        } else if (value.isArray()) {
            BsonArray lower = new BsonArray();
            value.asArray().forEach(member -> lower.add(lowerCase(member)));
            return lower;
        }
        return value;
    }
}
