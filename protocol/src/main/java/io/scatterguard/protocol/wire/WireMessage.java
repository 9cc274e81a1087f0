package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.scatterguard.protocol.bson.MalformedBsonException;
import org.jspecify.annotations.Nullable;

/**
 * One whole message. It owns its bytes, is the only reference-counted type of the protocol, and every view made from it
 * dies with it.
 */
public abstract sealed class WireMessage extends AbstractReferenceCounted
        permits OpMsg, MalformedOpMsg, OpQuery, OpReply, OpCompressed, OpWrite, OpGetMore, OpKillCursors, OtherMessage {
    private final MessageHeader header;
    private final ByteBuf bytes;

    WireMessage(MessageHeader header, ByteBuf bytes) {
        this.header = header;
        this.bytes = bytes;
    }

    /**
     * The typed view of a whole message. Takes {@code bytes}: they are released when the message is, and at once if
     * this throws.
     *
     * @param bytes exactly one message, header included
     * @throws ProtocolException or {@link MalformedBsonException} if the message is malformed
     */
    public static WireMessage decode(ByteBuf bytes) {
        boolean decoded = false;
        try {
            MessageHeader header = MessageHeader.read(bytes, bytes.readerIndex());
            WireMessage message = switch (header.opCode()) {
                case OP_MSG -> OpMsgDecoder.decode(header, bytes);
                case OP_QUERY -> OpQuery.decode(header, bytes);
                case OP_REPLY -> OpReply.decode(header, bytes);
                case OP_COMPRESSED -> OpCompressed.decode(header, bytes);
                case OP_UPDATE, OP_INSERT, OP_DELETE -> OpWrite.decode(header, bytes);
                case OP_GET_MORE -> OpGetMore.decode(header, bytes);
                case OP_KILL_CURSORS -> OpKillCursors.decode(header, bytes);
                case UNKNOWN -> new OtherMessage(header, bytes);
            };
            decoded = true;
            return message;
        } finally {
            if (!decoded) {
                bytes.release();
            }
        }
    }

    /**
     * Likewise, but what is malformed is no error: it is an {@link OtherMessage} of its opcode. Takes {@code bytes}.
     *
     * @param bytes exactly one message, header included
     */
    public static WireMessage decodeLeniently(ByteBuf bytes) {
        bytes.retain();
        try {
            WireMessage message = decode(bytes);
            bytes.release();
            return message;
        } catch (ProtocolException | MalformedBsonException e) {
            return new OtherMessage(MessageHeader.read(bytes, bytes.readerIndex()), bytes);
        } catch (RuntimeException | Error e) {
            bytes.release();
            throw e;
        }
    }

    public final MessageHeader header() {
        return header;
    }

    /** The whole message as it came, header included; borrowed. Retain it to keep it. */
    public final ByteBuf bytes() {
        return bytes;
    }

    /** Where the body begins in {@link #bytes()}. */
    final int bodyOffset() {
        return bytes.readerIndex() + MessageHeader.SIZE_BYTES;
    }

    final int endOffset() {
        return bytes.readerIndex() + header.messageLength();
    }

    @Override
    public final WireMessage touch(@Nullable Object hint) {
        bytes.touch(hint);
        return this;
    }

    @Override
    protected final void deallocate() {
        bytes.release();
    }

    /** Header only: a body may hold secrets. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + header;
    }
}
