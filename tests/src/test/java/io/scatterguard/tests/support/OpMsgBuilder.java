package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Builds an OP_MSG, well formed or not quite: sections go out in the order they were added, a body section is written
 * where {@link #body} was called (last, when it was not).
 */
public final class OpMsgBuilder implements RawMessage {
    private final int requestId;
    private final BsonDocument body;
    private final List<byte[]> sections = new ArrayList<>();
    private int responseTo;
    private int flagBits;
    private boolean bodyPlaced;

    private OpMsgBuilder(int requestId, BsonDocument body) {
        this.requestId = requestId;
        this.body = body;
    }

    public static OpMsgBuilder of(int requestId, BsonDocument body) {
        return new OpMsgBuilder(requestId, body);
    }

    @Override
    public int requestId() {
        return requestId;
    }

    public OpMsgBuilder responseTo(int requestIdOfTheOther) {
        responseTo = requestIdOfTheOther;
        return this;
    }

    /** Sets these flag bits besides those already set; {@link #checksum()} is the way to ask for a checksum. */
    public OpMsgBuilder flags(int bits) {
        flagBits |= bits;
        return this;
    }

    public OpMsgBuilder moreToCome() {
        return flags(WireFrame.MORE_TO_COME);
    }

    public OpMsgBuilder exhaustAllowed() {
        return flags(WireFrame.EXHAUST_ALLOWED);
    }

    /** Ends the message with its CRC-32C. */
    public OpMsgBuilder checksum() {
        return flags(WireFrame.CHECKSUM_PRESENT);
    }

    /** Adds a document sequence after the body. */
    public OpMsgBuilder sequence(String identifier, List<BsonDocument> documents) {
        placeBody();
        sections.add(sequenceSection(identifier, documents));
        return this;
    }

    /** Adds a document sequence before the body; call it before {@link #sequence}. */
    public OpMsgBuilder sequenceBeforeBody(String identifier, List<BsonDocument> documents) {
        if (bodyPlaced) {
            throw new IllegalStateException(
                    "sequence " + identifier + " cannot go before a body that was already placed");
        }
        sections.add(sequenceSection(identifier, documents));
        return this;
    }

    @Override
    public byte[] encode() {
        boolean checksum = (flagBits & WireFrame.CHECKSUM_PRESENT) != 0;
        MessageBytes bytes = new MessageBytes().int32(flagBits);
        sections.forEach(bytes::bytes);
        if (!bodyPlaced) {
            bytes.bytes(bodySection());
        }
        byte[] message = bytes.finish(requestId, responseTo, WireHeader.OP_MSG, checksum ? Integer.BYTES : 0);
        return checksum ? withChecksum(message) : message;
    }

    private void placeBody() {
        if (!bodyPlaced) {
            sections.add(bodySection());
            bodyPlaced = true;
        }
    }

    private byte[] bodySection() {
        return new MessageBytes().int8(0).bytes(RawMessage.bson(body)).withoutHeader();
    }

    private static byte[] sequenceSection(String identifier, List<BsonDocument> documents) {
        List<byte[]> encoded = documents.stream().map(RawMessage::bson).toList();
        int documentBytes = encoded.stream().mapToInt(bson -> bson.length).sum();
        int identifierBytes = identifier.getBytes(StandardCharsets.UTF_8).length + 1;
        MessageBytes bytes = new MessageBytes()
                .int8(1)
                .int32(Integer.BYTES + identifierBytes + documentBytes)
                .cstring(identifier);
        encoded.forEach(bytes::bytes);
        return bytes.withoutHeader();
    }

    private static byte[] withChecksum(byte[] message) {
        byte[] whole = Arrays.copyOf(message, message.length + Integer.BYTES);
        int checksum = FrameReader.checksum(whole, message.length);
        for (int i = 0; i < Integer.BYTES; i++) {
            whole[message.length + i] = (byte) (checksum >>> (Byte.SIZE * i));
        }
        return whole;
    }
}
