package io.scatterguard.tests.support;

import java.nio.ByteBuffer;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** A message to be sent: something that knows its bytes. */
public interface RawMessage {
    /** Every byte of the message, header included. */
    byte[] encode();

    int requestId();

    /** {@code document} as BSON. */
    static byte[] bson(BsonDocument document) {
        if (document instanceof RawBsonDocument raw) {
            ByteBuffer bytes = raw.getByteBuffer().asNIO();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        }
        try (BasicOutputBuffer out = new BasicOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
            return out.toByteArray();
        }
    }
}
