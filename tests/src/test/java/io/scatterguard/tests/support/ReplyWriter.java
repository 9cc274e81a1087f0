package io.scatterguard.tests.support;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/**
 * Where a {@link Reply} writes the answer to one request: it knows the opcode to answer in and the responseTo of the next
 * message, which after a {@code moreToCome} reply is the requestId of that reply.
 */
public final class ReplyWriter {
    private final WireFrame request;
    private final AtomicInteger requestIds;
    private final Sink sink;
    private int responseTo;

    ReplyWriter(WireFrame request, AtomicInteger requestIds, Sink sink) {
        this(request, requestIds, sink, request.requestId());
    }

    private ReplyWriter(WireFrame request, AtomicInteger requestIds, Sink sink, int responseTo) {
        this.request = request;
        this.requestIds = requestIds;
        this.sink = sink;
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
            bytes(new OpReplyMessage(requestId, responseTo, document).encode());
        } else {
            OpMsgBuilder reply =
                    OpMsgBuilder.of(requestId, document).responseTo(responseTo).flags(flagBits);
            bytes((request.checksumPresent() ? reply.checksum() : reply).encode());
        }
        responseTo = requestId;
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
        return new ReplyWriter(request, requestIds, wrapped, responseTo);
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
