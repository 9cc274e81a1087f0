package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which kinds of statements of one batch were judged already: those of one kind are judged alike. */
final class KindsSeen {
    /** Compared by identity of the table: of one collection, all statements of a batch share the subject. */
    private record Kinds(@Nullable StatementSubject subject, Set<Note.Name> notes) {}

    private final BitSet seen = new BitSet();
    private final Map<Kinds, BitSet> others = new HashMap<>();

    /**
     * Notes a statement's kind.
     *
     * @param notes those on it, if any rule looks at them; else none
     * @return whether it is the first of its kind
     */
    boolean add(StatementRoute statement, Set<Note.Name> notes) {
        StatementSubject subject = statement.subject();
        BitSet kinds = subject == null && notes.isEmpty()
                ? seen
                : others.computeIfAbsent(new Kinds(subject, notes), key -> new BitSet());
        int kind = kind(statement);
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
