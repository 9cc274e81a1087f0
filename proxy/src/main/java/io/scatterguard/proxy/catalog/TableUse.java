package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;

/**
 * Whether a tracked collection is in use, and whether its chunks must be asked for before it is judged by them. Written by
 * every event loop, and then only the first time after a poll; read by the threads that load.
 */
final class TableUse {
    private final Namespace namespace;
    private volatile boolean used;
    private volatile boolean due = true;
    private volatile long lookedAtMillis;

    TableUse(Namespace namespace) {
        this.namespace = namespace;
    }

    Namespace namespace() {
        return namespace;
    }

    /** Notes that the collection is in use. A second note costs a read. */
    void mark() {
        if (!used) {
            used = true;
        }
    }

    /** Whether it was in use since the last call. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /** Whether the chunks are not loaded, or were not looked at for so long that they must be asked for. */
    boolean isDue() {
        return due;
    }

    /** The chunks must be asked for before the next use. */
    void setDue() {
        due = true;
    }

    /** The chunks were asked for: they are there, or it is of no use to ask again at once. */
    void setAsked() {
        due = false;
    }

    /** The chunks were confirmed at this time, in milliseconds since 1970. */
    void lookedAt(long millis) {
        lookedAtMillis = millis;
        due = false;
    }

    /** When the chunks were last confirmed, in milliseconds since 1970; 0 before that. */
    long lookedAtMillis() {
        return lookedAtMillis;
    }
}
