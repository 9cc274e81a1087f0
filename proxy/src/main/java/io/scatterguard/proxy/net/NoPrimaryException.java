package io.scatterguard.proxy.net;

/** No primary of the replica set became known in time. */
final class NoPrimaryException extends Exception {
    private static final long serialVersionUID = 1L;

    /** {@code members}: what is known of them. */
    NoPrimaryException(String members) {
        super("no primary of the replica set is known: " + members, null, false, false);
    }
}
