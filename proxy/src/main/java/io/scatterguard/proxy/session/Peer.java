package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;

/** One side's connection, as the session sees it. Every method is called on the connection's event loop. */
public interface Peer {
    /** Queues bytes to be sent; takes them. */
    void write(ByteBuf bytes);

    void flush();

    /** False while more is queued than the high water mark allows. */
    boolean isWritable();

    /** Starts or stops reading from the connection. */
    void setReading(boolean reading);

    /** Closes once everything written so far is sent. */
    void closeAfterFlush();

    /** Closes at once; what is queued is dropped. */
    void close();
}
