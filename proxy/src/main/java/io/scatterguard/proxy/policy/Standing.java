package io.scatterguard.proxy.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rulings that stand on the statements of one batch, each once, the strictest first. */
final class Standing {
    /** @param statement the first one that it is about */
    private record Entry(Ruling ruling, int statement) {}

    private final List<Entry> entries = new ArrayList<>();

    /** Adds a ruling on a statement, behind those that it does not outweigh. */
    void add(Ruling ruling, int statement) {
        int place = entries.size();
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).ruling() == ruling) {
                return;
            }
            place = ruling.outweighs(entries.get(i).ruling()) ? i : place;
        }
        entries.add(place, new Entry(ruling, statement));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Whether nothing that it holds is stricter than to let pass, as no finding. */
    boolean isAllow() {
        return entries.get(0).ruling().isAllow();
    }

    /**
     * What they come to together: one refusal refuses the batch, whatever keeps others from refusing it. Where all are kept
     * from it, what is said is what comes of the strictest.
     */
    Verdict verdict(Question question) {
        Verdict milder = null;
        for (Entry entry : entries) {
            Verdict verdict = entry.ruling().verdict(question);
            if (entry.ruling().isRefusal(verdict)) {
                return verdict.refused() ? verdict.about(entry.statement()) : verdict;
            }
            milder = milder == null ? verdict : milder;
        }
        return required(milder);
    }

    private static Verdict required(@Nullable Verdict verdict) {
        if (verdict == null) {
            throw new IllegalStateException("no ruling stands");
        }
        return verdict;
    }
}
