package io.scatterguard.tests.captures;

import io.scatterguard.tests.captures.Passage.Message;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The one difference between what a client sends and what the server gets as long as the proxy reads no compressor: {@code
 * compression} is missing from {@code hello}, and what is compressed all the same ends the connection.
 */
final class CompressionTaken {
    /** Whether the proxy reads what is compressed, so that nothing is changed and every capture can be played. */
    static final boolean COMPRESSORS_ARE_READ = false;

    private static final String COMPRESSION = "compression";

    private CompressionTaken() {}

    static boolean canPlay(Capture capture) {
        return COMPRESSORS_ARE_READ
                || capture.connections().stream()
                        .flatMap(c -> Capture.messages(capture.stream(c, Capture.Direction.TO_SERVER)).stream())
                        .noneMatch(message -> message.opCode() == WireHeader.OP_COMPRESSED);
    }

    /** The messages of a client's stream as the server must get them. */
    static List<Message> from(byte[] stream) {
        return Capture.messages(stream).stream()
                .map(message -> new Message(message.header().messageLength(), expected(message)))
                .toList();
    }

    /** The messages of a server's stream, of which nothing is ever changed. */
    static List<Message> nothing(byte[] stream) {
        return Capture.messages(stream).stream()
                .map(message -> new Message(message.header().messageLength(), ByteBuffer.wrap(message.bytes())))
                .toList();
    }

    private static ByteBuffer expected(WireFrame message) {
        if (COMPRESSORS_ARE_READ || !message.body().containsKey(COMPRESSION)) {
            return ByteBuffer.wrap(message.bytes());
        }
        BsonDocument body = new BsonDocument();
        body.putAll(message.body());
        body.remove(COMPRESSION);
        byte[] shorter = RawMessage.bson(body);
        byte[] bytes = message.bytes();
        int bodyAt = bytes.length - RawMessage.bson(message.body()).length;
        byte[] changed = Arrays.copyOf(bytes, bodyAt + shorter.length);
        System.arraycopy(shorter, 0, changed, bodyAt, shorter.length);
        ByteBuffer whole = ByteBuffer.wrap(changed);
        whole.order(ByteOrder.LITTLE_ENDIAN).putInt(0, changed.length);
        return whole;
    }
}
