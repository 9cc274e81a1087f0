package io.scatterguard.tests.support;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/**
 * Where a {@link Reply} writes the answer to one request: it knows the opcode to answer in and the responseTo of the next
 * message, which after a {@code moreToCome} reply is the requestId of that reply.
 */
public final class ReplyWriter {
    private final WireFrame request;
    private final AtomicInteger requestIds;
    private final Sink sink;
    private final UnaryOperator<BsonDocument> decoration;
    private int responseTo;

    ReplyWriter(WireFrame request, AtomicInteger requestIds, Sink sink) {
        this(request, requestIds, sink, UnaryOperator.identity(), request.requestId());
    }

    private ReplyWriter(
            WireFrame request,
            AtomicInteger requestIds,
            Sink sink,
            UnaryOperator<BsonDocument> decoration,
            int responseTo) {
        this.request = request;
        this.requestIds = requestIds;
        this.sink = sink;
        this.decoration = decoration;
        this.responseTo = responseTo;
    }

    public WireFrame request() {
        return request;
    }

    /** Writes a reply in the opcode of the request, with a checksum where the request had one. */
    public void document(BsonDocument document) throws IOException, InterruptedException {
        document(document, 0);
    }

    /** Writes a reply with these flag bits (OP_MSG only); one with {@code moreToCome} moves responseTo to itself. */
    public void document(BsonDocument document, int flagBits) throws IOException, InterruptedException {
        int requestId = requestIds.incrementAndGet();
        if (request.opCode() == WireHeader.OP_QUERY) {
            send(new OpReplyMessage(requestId, responseTo, decoration.apply(document)));
        } else {
            OpMsgBuilder reply = OpMsgBuilder.of(requestId, decoration.apply(document))
                    .responseTo(responseTo)
                    .flags(flagBits);
            send(request.checksumPresent() ? reply.checksum() : reply);
        }
        responseTo = requestId;
    }

    /** Writes an OP_REPLY with a batch of a legacy cursor; the next one answers this one, as in an exhaust stream. */
    void legacyBatch(long cursorId, int startingFrom, List<BsonDocument> batch)
            throws IOException, InterruptedException {
        int requestId = requestIds.incrementAndGet();
        send(new OpReplyMessage(requestId, responseTo, cursorId, startingFrom, batch));
        responseTo = requestId;
    }

    /** In a reply's own compression: that of the request. */
    private void send(RawMessage reply) throws IOException, InterruptedException {
        bytes((request.compressed() ? new CompressedMessage(reply, request.compressor()) : reply).encode());
    }

    /** Writes bytes as they are. */
    public void bytes(byte[] bytes) throws IOException, InterruptedException {
        sink.write(bytes);
    }

    /** Closes the connection; what was written before is sent. */
    public void close() throws IOException {
        sink.close();
    }

    /** A writer for the same request that gives its bytes to {@code wrapper}, which may cut or delay them. */
    ReplyWriter through(Write wrapper) {
        Sink inner = sink;
        Sink wrapped = new Sink() {
            @Override
            public void write(byte[] bytes) throws IOException, InterruptedException {
                wrapper.write(bytes, inner);
            }

            @Override
            public void close() throws IOException {
                inner.close();
            }
        };
        return new ReplyWriter(request, requestIds, wrapped, decoration, responseTo);
    }

    /** A writer for the same request that sends what {@code other} makes of each document. */
    ReplyWriter decorated(UnaryOperator<BsonDocument> other) {
        return new ReplyWriter(request, requestIds, sink, other, responseTo);
    }

    /** The socket, or something in front of it. */
    interface Sink {
        void write(byte[] bytes) throws IOException, InterruptedException;

        void close() throws IOException;
    }

    /** What is done with the bytes on their way to a sink. */
    interface Write {
        void write(byte[] bytes, Sink next) throws IOException, InterruptedException;
    }
}
