package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.wire.MessageHeader;
import java.util.ArrayList;
import java.util.List;

/** One side of a session that keeps what it is given. */
final class FakePeer implements Peer {
    final List<byte[]> written = new ArrayList<>();
    boolean writable = true;
    boolean reading = true;
    boolean closed;
    /** Runs within the next write, as what a write that fails at once brings about. */
    Runnable onWrite = () -> {};

    int flushed;

    @Override
    public void write(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), copy);
        bytes.release();
        written.add(copy);
        Runnable now = onWrite;
        onWrite = () -> {};
        now.run();
    }

    @Override
    public void flush() {
        flushed = written.size();
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void setReading(boolean now) {
        reading = now;
    }

    @Override
    public void closeAfterFlush() {
        flush();
        closed = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The headers of what was written; each write must be one message. */
    List<MessageHeader> headers() {
        return written.stream()
                .map(bytes -> MessageHeader.read(io.netty.buffer.Unpooled.wrappedBuffer(bytes), 0))
                .toList();
    }

    List<Integer> requestIds() {
        return headers().stream().map(MessageHeader::requestId).toList();
    }

    List<Integer> responsesTo() {
        return headers().stream().map(MessageHeader::responseTo).toList();
    }
}
