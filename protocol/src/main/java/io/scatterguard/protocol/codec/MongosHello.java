package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.Checksum;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bson.BsonType;

/**
 * Reads the reply of a replica-set member to {@code hello} or {@code isMaster} and makes of it the reply of a {@code mongos}:
 * the fields that a mongos returns, with the member's own values and in its order, and {@code msg: "isdbgrid"}. What names
 * the set or its members is left out.
 *
 * <p>Source: {@code hello} in the manual; the "Server Discovery and Monitoring" specification, which tells a mongos by
 * {@code msg}.
 */
public final class MongosHello {
    /** What a member says of itself. */
    public enum Verdict {
        /** It is the primary. */
        WRITABLE,
        /** It answered, and is not the primary. */
        NOT_WRITABLE,
        /** It answered with an error. */
        ERROR
    }

    private static final String MSG = "msg";
    private static final String IS_DB_GRID = "isdbgrid";

    /** By which a member says whether it is the primary; {@code msg} follows the first of them. */
    private static final Set<String> WRITABLE = Set.of("isWritablePrimary", "ismaster");

    private static final Set<String> KEPT = Set.of(
            "isWritablePrimary",
            "ismaster",
            "helloOk",
            "topologyVersion",
            "maxBsonObjectSize",
            "maxMessageSizeBytes",
            "maxWriteBatchSize",
            "localTime",
            "logicalSessionTimeoutMinutes",
            "connectionId",
            "minWireVersion",
            "maxWireVersion",
            "compression",
            "saslSupportedMechs",
            "speculativeAuthenticate",
            "ok",
            "$clusterTime",
            "operationTime");

    private final ByteBuf message;
    private final boolean opMsg;
    private final int trailerBytes;
    private final BsonView body;
    private final Verdict verdict;

    private MongosHello(ByteBuf message, boolean opMsg, int trailerBytes, BsonView body) {
        this.message = message;
        this.opMsg = opMsg;
        this.trailerBytes = trailerBytes;
        this.body = body;
        this.verdict = verdictOf(body);
    }

    /**
     * Reads one whole reply, which is borrowed as long as the result is used.
     *
     * @throws ProtocolException if it is no reply to a command: another opcode, more than one section or document, or no
     *     well-formed document
     */
    public static MongosHello read(ByteBuf message) {
        try {
            return decoded(message);
        } catch (MalformedBsonException e) {
            throw new ProtocolException("reply to hello: " + e.getMessage());
        }
    }

    private static MongosHello decoded(ByteBuf message) {
        int start = message.readerIndex();
        OpCode opCode = MessageHeader.read(message, start).opCode();
        boolean opMsg = opCode == OpCode.OP_MSG;
        // The flag bits and the kind of the one section, or what an OP_REPLY has before its document.
        int prefix = MessageHeader.SIZE_BYTES + (opMsg ? 5 : OpReply.PREFIX_BYTES);
        if (!(opMsg || opCode == OpCode.OP_REPLY) || message.readableBytes() < prefix) {
            throw new ProtocolException("reply to hello: " + opCode + " of " + message.readableBytes()
                    + " bytes (expected: OP_MSG or OP_REPLY with a document)");
        }
        boolean checked = opMsg && (message.getIntLE(start + MessageHeader.SIZE_BYTES) & OpMsg.CHECKSUM_PRESENT) != 0;
        int trailer = checked ? Checksum.SIZE_BYTES : 0;
        BsonView body = BsonView.of(message, start + prefix, message.writerIndex() - trailer);
        int more = message.readableBytes() - trailer - prefix - body.sizeBytes();
        if ((opMsg && message.getByte(start + prefix - 1) != 0) || more != 0) {
            throw new ProtocolException(
                    "reply to hello: " + more + " bytes after its document (expected: one document)");
        }
        return new MongosHello(message, opMsg, trailer, body);
    }

    private static Verdict verdictOf(BsonView body) {
        Verdict found = Verdict.NOT_WRITABLE;
        boolean ok = false;
        BsonCursor cursor = body.cursor();
        while (cursor.next()) {
            if (cursor.nameEquals("ok")) {
                ok = isOne(cursor.value());
            } else if (isTrue(cursor) && WRITABLE.contains(cursor.name())) {
                found = Verdict.WRITABLE;
            }
        }
        return ok ? found : Verdict.ERROR;
    }

    private static boolean isTrue(BsonCursor cursor) {
        return cursor.type() == BsonType.BOOLEAN && cursor.value().bool();
    }

    private static boolean isOne(BsonValueView ok) {
        return switch (ok.type()) {
            case BOOLEAN -> ok.bool();
            case INT32 -> ok.int32() == 1;
            case INT64 -> ok.int64() == 1;
            case DOUBLE -> ok.float64() == 1;
            default -> false;
        };
    }

    public Verdict verdict() {
        return verdict;
    }

    /** The reply of a mongos, owned by the caller: lengths are adjusted and a checksum is made anew. */
    public ByteBuf asMongos(ByteBufAllocator alloc) {
        int start = message.readerIndex();
        int prefix = body.offset() - start;
        ByteBuf out = alloc.buffer(message.readableBytes() + 1 + MSG.length() + 1 + 4 + IS_DB_GRID.length() + 1);
        out.writeBytes(message, start, prefix);
        out.writeIntLE(0);
        boolean named = false;
        BsonCursor cursor = body.cursor();
        while (cursor.next()) {
            String name = cursor.name();
            if (KEPT.contains(name)) {
                out.writeBytes(message, cursor.elementOffset(), cursor.elementLength());
                if (!named && WRITABLE.contains(name)) {
                    writeMsg(out);
                    named = true;
                }
            }
        }
        out.writeByte(0);
        out.setIntLE(prefix, out.writerIndex() - prefix);
        out.setIntLE(0, out.readableBytes() + trailerBytes);
        if (opMsg && trailerBytes > 0) {
            out.writeIntLE(Checksum.of(out, 0, out.readableBytes()));
        }
        return out;
    }

    private static void writeMsg(ByteBuf out) {
        out.writeByte(BsonType.STRING.getValue());
        out.writeCharSequence(MSG, StandardCharsets.US_ASCII);
        out.writeByte(0).writeIntLE(IS_DB_GRID.length() + 1);
        out.writeCharSequence(IS_DB_GRID, StandardCharsets.US_ASCII);
        out.writeByte(0);
    }
}
