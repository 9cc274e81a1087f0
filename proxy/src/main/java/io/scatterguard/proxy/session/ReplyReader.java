package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.codec.ReplySkimmer;
import io.scatterguard.protocol.codec.SkimmedReply;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.WireMessage;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Reads a session's replies as they pass, one after another: an outcome is skimmed, whatever the reply's size; only what
 * must be seen as a whole is copied, if it is small: what the session has to learn, and what is compressed. Nothing about
 * a reply is ever an error here: it is the client's to judge, and is forwarded as it is.
 */
final class ReplyReader {
    /** The largest reply that is copied, and the largest that is inflated, in bytes. */
    static final int MAX_BYTES = 64 * 1024;

    /** Of a larger compressed reply in an exhaust stream this much is copied, enough to see its flag bits. */
    static final int MAX_BEGINNING_BYTES = 160 * 1024;

    /** The first element of an error's body: a double called {@code ok}. */
    private static final int OK_DOUBLE = 0x00_6b_6f_01;

    private static final byte[] NOTHING = new byte[0];

    private final MessageCompression compression;
    private final ByteBufAllocator alloc;
    private final boolean watchesPrimary;
    private final ReplySkimmer skimmer = new ReplySkimmer();
    private boolean skimming;
    private boolean watching;
    private byte[] copied = NOTHING;
    private int size;

    /** {@code watchesPrimary}: whether every reply is read for whether its server is still the primary. */
    ReplyReader(MessageCompression compression, ByteBufAllocator alloc, boolean watchesPrimary) {
        this.compression = compression;
        this.alloc = alloc;
        this.watchesPrimary = watchesPrimary;
    }

    /** Notes a part of a reply to {@code request}; borrows its bytes. */
    void add(InFlightRequest request, ReplyChunk chunk) {
        if (chunk.first()) {
            begin(request, chunk);
        }
        ByteBuf part = chunk.bytes();
        if (skimming) {
            skimmer.add(part);
        }
        if (size < copied.length) {
            int length = Math.min(part.readableBytes(), copied.length - size);
            part.getBytes(part.readerIndex(), copied, size, length);
            size += length;
        }
    }

    private void begin(InFlightRequest request, ReplyChunk chunk) {
        MessageHeader header = chunk.header();
        boolean compressed = header.opCode() == OpCode.OP_COMPRESSED;
        boolean read = request.record() != null || watchesPrimary;
        skimming = !compressed && (read || beginsAsError(chunk));
        // An OP_REPLY may hold a document of the client's own, which would be taken for an error.
        watching = watchesPrimary && header.opCode() != OpCode.OP_REPLY;
        if (skimming) {
            skimmer.begin(header, chunk.flagBits());
        }
        int length = header.messageLength();
        boolean wanted = request.replyListener() != null || (compressed && (read || request.exhaustAllowed()));
        int copy = 0;
        if (wanted && length <= MAX_BYTES) {
            copy = length;
        } else if (compressed && request.exhaustAllowed()) {
            copy = Math.min(length, MAX_BEGINNING_BYTES);
        }
        copied = copy == 0 ? NOTHING : new byte[copy];
        size = 0;
    }

    /** Whether it is an OP_MSG whose body begins as that of every error: by {@code ok}, a double that is 0. */
    private static boolean beginsAsError(ReplyChunk chunk) {
        ByteBuf part = chunk.bytes();
        int body = part.readerIndex() + MessageHeader.SIZE_BYTES + Integer.BYTES;
        return chunk.header().opCode() == OpCode.OP_MSG
                && part.writerIndex() >= body + 17
                && part.getIntLE(body + 5) == OK_DOUBLE
                && part.getLongLE(body + 9) == 0;
    }

    /** The reply of which {@code last} was the last part has passed. */
    ReadReply end(InFlightRequest request, ReplyChunk last) {
        byte[] bytes = copied;
        copied = NOTHING;
        boolean compressed = last.header().opCode() == OpCode.OP_COMPRESSED;
        BsonDocument document = null;
        boolean moreToCome = last.moreToCome();
        if (bytes.length > 0) {
            ByteBuf reply = Unpooled.wrappedBuffer(bytes);
            if (compressed && request.exhaustAllowed()) {
                moreToCome = (flagBits(reply) & OpMsg.MORE_TO_COME) != 0;
            }
            if (bytes.length == last.header().messageLength() && bytes.length <= MAX_BYTES) {
                document = document(reply, request.replyListener() != null);
            }
        }
        if (!skimming) {
            return new ReadReply(ReplyFacts.UNKNOWN, document, moreToCome, false);
        }
        skimming = false;
        SkimmedReply skimmed = skimmer.reply();
        boolean notPrimary = watching && NotPrimary.isShownBy(skimmed);
        return new ReadReply(ReplyFacts.of(skimmed), document, moreToCome, notPrimary);
    }

    private int flagBits(ByteBuf reply) {
        try {
            return compression.flagBits(alloc, reply);
        } catch (RuntimeException e) {
            return 0;
        }
    }

    /** Inflates what is compressed, and skims it; decodes it if {@code wanted}. */
    private @Nullable BsonDocument document(ByteBuf bytes, boolean wanted) {
        WireMessage message = null;
        try {
            message = WireMessage.decode(bytes);
            if (message instanceof OpCompressed compressed) {
                ByteBuf inflated = compression.inflate(alloc, compressed, MAX_BYTES);
                skimInflated(inflated);
                message = WireMessage.decode(inflated);
            }
            return wanted ? decoded(message) : null;
        } catch (RuntimeException e) {
            return null;
        } finally {
            if (message != null) {
                message.release();
            }
        }
    }

    private void skimInflated(ByteBuf inflated) {
        MessageHeader header = MessageHeader.read(inflated, 0);
        boolean flagged = header.opCode() == OpCode.OP_MSG && header.messageLength() >= MessageHeader.SIZE_BYTES + 4;
        watching &= header.opCode() == OpCode.OP_MSG;
        skimmer.begin(header, flagged ? inflated.getIntLE(MessageHeader.SIZE_BYTES) : 0);
        skimmer.add(inflated);
        skimming = true;
    }

    private static @Nullable BsonDocument decoded(WireMessage message) {
        BsonView view = null;
        if (message instanceof OpMsg msg) {
            view = msg.body();
        } else if (message instanceof OpReply reply) {
            view = reply.document();
        }
        return view == null ? null : view.toBsonDocument();
    }
}
