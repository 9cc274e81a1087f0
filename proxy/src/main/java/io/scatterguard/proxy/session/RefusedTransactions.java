package io.scatterguard.proxy.session;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The transactions of a listener's clients of which a statement was refused: nothing of them may be committed, on whichever
 * connection it is asked for. Of each session the last one is kept, as a server keeps one transaction a session. Thread-safe.
 */
public final class RefusedTransactions {
    /** So many sessions are remembered; then the one whose refusal is the oldest is forgotten. */
    public static final int MAX_SESSIONS = 10_000;

    private final Map<TransactionId.Session, Long> numbers = new LinkedHashMap<>();
    private volatile boolean empty = true;

    /** A statement of {@code transaction} is refused. */
    synchronized void remember(TransactionId transaction) {
        Long before = numbers.remove(transaction.session());
        numbers.put(
                transaction.session(),
                before == null ? transaction.number() : Long.valueOf(Math.max(before, transaction.number())));
        if (numbers.size() > MAX_SESSIONS) {
            numbers.remove(numbers.keySet().iterator().next());
        }
        empty = false;
    }

    /** Whether {@code transaction} is a refused one, or older than a refused one of its session and so over as well. */
    boolean isOver(TransactionId transaction) {
        // Nearly always empty: the common case takes no lock.
        return !empty && isRemembered(transaction);
    }

    private synchronized boolean isRemembered(TransactionId transaction) {
        Long refused = numbers.get(transaction.session());
        return refused != null && transaction.number() <= refused;
    }

    /** The session of {@code transaction} has begun a new one: what was refused before is past. */
    void begun(TransactionId transaction) {
        if (!empty) {
            forget(transaction);
        }
    }

    private synchronized void forget(TransactionId transaction) {
        Long refused = numbers.get(transaction.session());
        if (refused != null && transaction.number() > refused) {
            numbers.remove(transaction.session());
            empty = numbers.isEmpty();
        }
    }

    /** How many sessions are remembered. */
    public synchronized int size() {
        return numbers.size();
    }
}
