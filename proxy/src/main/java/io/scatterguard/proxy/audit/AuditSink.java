package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.util.List;

/** Where audit records go. Used by one thread at a time, never by an event loop: it may block and it may fail. */
public interface AuditSink extends AutoCloseable {
    /** A name for messages, for instance {@code stdout} or the file's path. */
    String name();

    /** Its type as in the configuration, for instance {@code file}. */
    default String type() {
        return "other";
    }

    /** What it writes to, however it is spelt: two sinks of the same one are never written to at one time. */
    default String destination() {
        return type() + " " + name();
    }

    /**
     * Finds out, without writing, whether it can be expected to take records. Asked before it takes the place of others.
     *
     * @throws IOException if it cannot; the message says what has to be mended
     */
    default void check() throws IOException {}

    /** What happens while too many records wait for it. */
    default WhenFull whenFull() {
        return WhenFull.DROP;
    }

    /**
     * Takes a batch of records in their order. After an exception none of them counts as written, but for those a
     * {@link PartlyWrittenException} names, and the next call finds the sink ready to try again.
     *
     * @param lines each one JSON object, UTF-8, with its line feed
     */
    void write(List<byte[]> lines) throws IOException;

    /** Hands on what was taken; called at least once a second as long as there is something. */
    void flush() throws IOException;

    @Override
    void close() throws IOException;
}
