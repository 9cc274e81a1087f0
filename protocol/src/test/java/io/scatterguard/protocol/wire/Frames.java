package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.bson.BsonDocument;

/** Messages for tests, built by hand; every method returns owned heap bytes. */
public final class Frames {
    private Frames() {}

    /** An OP_MSG with one body section. */
    public static ByteBuf opMsg(int requestId, int flagBits, String body) {
        return opMsg(requestId, flagBits, section(body));
    }

    /** An OP_MSG with the given sections, and its checksum if the flag bits say so. */
    public static ByteBuf opMsg(int requestId, int flagBits, byte[]... sections) {
        ByteBuf body = Unpooled.buffer().writeIntLE(flagBits);
        for (byte[] section : sections) {
            body.writeBytes(section);
        }
        boolean checksum = (flagBits & OpMsg.CHECKSUM_PRESENT) != 0;
        ByteBuf message = message(requestId, 0, OpCode.OP_MSG.value(), checksum ? body.writeIntLE(0) : body);
        return checksum ? checksummed(message) : message;
    }

    /** Makes the last four bytes the right CRC-32C, which the JDK computes. */
    public static ByteBuf checksummed(ByteBuf message) {
        int checked = message.readableBytes() - 4;
        CRC32C crc = new CRC32C();
        crc.update(message.array(), message.arrayOffset() + message.readerIndex(), checked);
        return message.setIntLE(message.readerIndex() + checked, (int) crc.getValue());
    }

    /** A section of kind 0. */
    public static byte[] section(String body) {
        byte[] document = document(body);
        byte[] section = new byte[document.length + 1];
        System.arraycopy(document, 0, section, 1, document.length);
        return section;
    }

    /** A section of kind 1. */
    public static byte[] sequence(String identifier, String... documents) {
        ByteBuf content = Unpooled.buffer();
        content.writeBytes(identifier.getBytes(StandardCharsets.UTF_8)).writeByte(0);
        List.of(documents).forEach(d -> content.writeBytes(document(d)));
        ByteBuf section = Unpooled.buffer().writeByte(1).writeIntLE(content.readableBytes() + 4);
        section.writeBytes(content);
        byte[] bytes = new byte[section.readableBytes()];
        section.readBytes(bytes);
        return bytes;
    }

    public static ByteBuf opQuery(int requestId, String fullCollectionName, String query) {
        ByteBuf body = Unpooled.buffer().writeIntLE(4);
        body.writeBytes(fullCollectionName.getBytes(StandardCharsets.UTF_8)).writeByte(0);
        body.writeIntLE(0).writeIntLE(-1).writeBytes(document(query));
        return message(requestId, 0, OpCode.OP_QUERY.value(), body);
    }

    /** A reply in OP_MSG. */
    public static ByteBuf reply(int requestId, int responseTo, int flagBits, String body) {
        return message(
                requestId,
                responseTo,
                OpCode.OP_MSG.value(),
                Unpooled.buffer().writeIntLE(flagBits).writeBytes(section(body)));
    }

    public static ByteBuf message(int requestId, int responseTo, int opCode, ByteBuf body) {
        int length = MessageHeader.SIZE_BYTES + body.readableBytes();
        return Unpooled.buffer(length)
                .writeIntLE(length)
                .writeIntLE(requestId)
                .writeIntLE(responseTo)
                .writeIntLE(opCode)
                .writeBytes(body);
    }

    public static byte[] document(String json) {
        return BsonView.encode(BsonDocument.parse(json)).toByteArray();
    }
}
