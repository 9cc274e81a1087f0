package io.scatterguard.proxy.catalog;

/** Whether a database is in use; see {@link TableUse}. */
final class DatabaseUse {
    private volatile boolean used;

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
}
