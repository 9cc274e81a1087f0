package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Map;

/** Which kinds of statements of one batch were judged already: those of one kind are judged alike. */
final class KindsSeen {
    private static final int KINDS = 48;

    private final BitSet seen = new BitSet();
    private final Map<StatementSubject, BitSet> seenBySubject = new IdentityHashMap<>();

    /**
     * Notes a statement's kind.
     *
     * @param notes those on it, if any rule looks at them; else 0
     * @return whether it is the first of its kind
     */
    boolean add(StatementRoute statement, int notes) {
        int kind = notes * KINDS + kind(statement);
        StatementSubject subject = statement.subject();
        BitSet kinds = subject == null ? seen : seenBySubject.computeIfAbsent(subject, key -> new BitSet());
        boolean first = !kinds.get(kind);
        kinds.set(kind);
        return first;
    }

    /** A number below 48 for all that rules and defaults ask of the route of a statement. */
    private static int kind(StatementRoute statement) {
        Shape shape = statement.shape();
        int ofShape = shape == null
                ? 0
                : switch (shape) {
                    case SINGLE_SHARD -> 1;
                    case MULTI_SHARD -> 2;
                    case SCATTER_GATHER -> 3;
                };
        int ofCertainty = statement.certainty() == Certainty.EXACT ? 0 : 1;
        Reason reason = statement.reason();
        int ofReason = reason == Reason.CATALOG_UNKNOWN ? 1 : reason == Reason.AMBIGUOUS ? 2 : 0;
        int ofError = statement.error() == null ? 0 : 24;
        return ofError + 6 * ofShape + 3 * ofCertainty + ofReason;
    }
}
