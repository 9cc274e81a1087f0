package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonValue;

/**
 * The shards of a {@code find}, by targeting semantics §6 word for word and without a thought for speed: each chunk is asked
 * by itself whether it is touched. It shares nothing with the code it judges.
 */
final class Oracle {
    private final Rules rules;

    /**
     * How releases differ.
     *
     * @param folding constants are folded, and what is always false goes to the first chunk (9.0)
     * @param simplifies the Boolean simplifier is on (8.0)
     * @param maxKeyIsLast a key of nothing but MaxKey is in the last chunk (7.0)
     * @param openEnds whether open ends of intervals are honoured, which no release does: for a router that is wrong
     */
    record Rules(boolean folding, boolean simplifies, boolean maxKeyIsLast, boolean openEnds) {
        static final Rules OF_6_3 = new Rules(false, false, false, false);
        static final Rules OF_8_0 = new Rules(false, true, true, false);
        static final Rules OF_9_0 = new Rules(true, true, true, false);
    }

    /**
     * What may be right.
     *
     * @param shards the sets that the specification allows, in general one
     * @param open whether it leaves open what is right; then {@code shards} is only a guess
     */
    record Answer(Set<Set<String>> shards, boolean open) {}

    private record Range(List<BsonValue> low, List<BsonValue> high, boolean lowIn, boolean highIn) {}

    Oracle(Rules rules) {
        this.rules = rules;
    }

    Answer answer(FuzzCase c) {
        NormalForm normal = new NormalForm(rules.folding());
        Node normalised = normal.of(new NodeReader(rules.folding()).filter(c.filter()));
        Node filter = rules.simplifies() ? Simplifier.simplified(normalised) : normalised;
        Layout layout = c.layout();
        List<BsonValue> point = PointKey.of(filter, layout, c.isSimple());
        String owner = point == null ? null : layout.ownerOf(point);
        if (owner != null) {
            return answer(Set.of(owner), normal);
        } else if (point != null && rules.maxKeyIsLast()) {
            return answer(Set.of(layout.last()), normal);
        } else if (filter instanceof Node.Always always) {
            boolean first = !always.value() && rules.folding();
            return answer(first ? Set.of(layout.first()) : new TreeSet<>(layout.owning()), normal);
        }
        OracleBounds bounds = new OracleBounds(layout, c.isSimple());
        Set<Set<String>> answers = new HashSet<>();
        for (List<List<Span>> fields : bounds.of(filter)) {
            answers.add(shards(fields, layout));
        }
        if (answers.isEmpty()) {
            answers.add(new TreeSet<>(layout.owning()));
        }
        return new Answer(answers, bounds.open() || normal.open());
    }

    private static Answer answer(Set<String> shards, NormalForm normal) {
        return new Answer(Set.of(shards), normal.open());
    }

    private Set<String> shards(List<List<Span>> fields, Layout layout) {
        Set<String> shards = new TreeSet<>();
        for (Range range : flattened(fields)) {
            boolean beyond = true;
            for (Layout.Chunk chunk : layout.chunks()) {
                if (BsonOrder.compareKeys(range.low(), chunk.max()) < 0) {
                    beyond = false;
                    int order = BsonOrder.compareKeys(range.high(), chunk.min());
                    if (order > 0 || (order == 0 && (range.highIn() || !rules.openEnds()))) {
                        shards.add(chunk.shard());
                    }
                }
            }
            if (beyond && rules.maxKeyIsLast()) {
                shards.add(layout.last());
            }
        }
        return shards.isEmpty() ? Set.of(layout.first()) : shards;
    }

    /** Interval lists to ranges over the whole key (§6.6). */
    private static List<Range> flattened(List<List<Span>> fields) {
        List<Range> ranges = new ArrayList<>();
        if (fields.stream().anyMatch(List::isEmpty)) {
            return ranges;
        }
        int fanned = 0;
        while (fanned < fields.size() - 1
                && fields.get(fanned).size() == 1
                && fields.get(fanned).get(0).isPoint()) {
            fanned++;
        }
        for (Span span : fields.get(fanned)) {
            List<BsonValue> low = new ArrayList<>();
            List<BsonValue> high = new ArrayList<>();
            boolean lowIn = span.lowIn();
            boolean highIn = span.highIn();
            for (int i = 0; i < fields.size(); i++) {
                List<Span> spans = fields.get(i);
                Span first = i == fanned ? span : spans.get(0);
                Span last = i == fanned ? span : spans.get(spans.size() - 1);
                low.add(first.low());
                high.add(last.high());
                lowIn &= first.lowIn();
                highIn &= last.highIn();
            }
            ranges.add(new Range(low, high, lowIn, highIn));
        }
        return ranges;
    }
}
