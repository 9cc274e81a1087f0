package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a {@link RoutingTrace} is told of one statement. It borrows the command's bytes. */
final class RoutingLog implements RoutingTrace {
    /** So many ranges are kept; the rest is counted. */
    static final int MAX_RANGES = 10;

    private final List<Look> looks = new ArrayList<>();
    private final List<String> pipeline = new ArrayList<>();

    /** One look at the shard key. */
    static final class Look {
        final RoutingTable table;
        final KeyLookup.Outcome outcome;
        final @Nullable KeyBounds bounds;
        final @Nullable Filter filter;
        final @Nullable BsonView document;
        final List<byte[][]> ranges = new ArrayList<>();
        final BitSet chunks = new BitSet();
        /** The shards, where the table does not know its chunks. */
        final BitSet shards = new BitSet();

        int rangeCount;

        private Look(
                RoutingTable table,
                KeyLookup.Outcome outcome,
                @Nullable KeyBounds bounds,
                @Nullable Filter filter,
                @Nullable BsonView document) {
            this.table = table;
            this.outcome = outcome;
            this.bounds = bounds;
            this.filter = filter;
            this.document = document;
        }

        private void add(KeyBytes low, KeyBytes high) {
            if (ranges.size() < MAX_RANGES) {
                ranges.add(new byte[][] {low.toByteArray(), high.toByteArray()});
            }
            rangeCount++;
            if (!table.boundsKnown()) {
                addSpread(low, high);
                return;
            }
            chunks.set(table.chunkOf(low), table.chunkOf(high) + 1);
        }

        private void addSpread(KeyBytes low, KeyBytes high) {
            if (low.compareTo(high.toByteArray()) == 0) {
                shards.set(table.shardOf(low));
            } else {
                table.addShards(low, high, shards);
            }
        }

        private void addEverything() {
            if (table.boundsKnown()) {
                chunks.set(0, table.chunkCount());
            } else {
                table.owningShards().forEach(shards::set);
            }
        }
    }

    List<Look> looks() {
        return looks;
    }

    /** What of a pipeline's filters does not reach its front, one sentence each. */
    List<String> pipeline() {
        return pipeline;
    }

    @Override
    public boolean wantsEveryRange() {
        return true;
    }

    @Override
    public void point(RoutingTable table, KeyBytes key, Filter filter) {
        begin(new Look(table, KeyLookup.Outcome.POINT, null, filter, null)).add(key, key);
    }

    @Override
    public void document(RoutingTable table, KeyBytes key, BsonView document) {
        begin(new Look(table, KeyLookup.Outcome.DOCUMENT, null, null, document)).add(key, key);
    }

    @Override
    public void bounds(RoutingTable table, KeyBounds bounds, Filter filter) {
        begin(new Look(table, KeyLookup.Outcome.RANGES, bounds, filter, null));
    }

    @Override
    public void range(KeyBytes low, KeyBytes high) {
        looks.get(looks.size() - 1).add(low, high);
    }

    @Override
    public void unusable(RoutingTable table, KeyBounds bounds, Filter filter) {
        begin(new Look(table, KeyLookup.Outcome.EVERYTHING, bounds, filter, null))
                .addEverything();
    }

    private Look begin(Look look) {
        looks.add(look);
        return look;
    }

    @Override
    public void pipelineEndsAt(List<PipelineStage> stages, int index) {
        for (int i = index + 1; i < stages.size(); i++) {
            if (stages.get(i).name().equals("$match")) {
                pipeline.add(stays("in stage " + (i + 1), stages, index));
            }
        }
    }

    @Override
    public void conjunctStays(List<PipelineStage> stages, int match, int passed, boolean certain) {
        int behind = 0;
        for (int seen = -1; behind < stages.size(); behind++) {
            seen += stages.get(behind).name().equals("$match") ? 0 : 1;
            if (seen == passed) {
                break;
            }
        }
        String part = "in stage " + (match + 1) + ", or a part of it,";
        pipeline.add(
                certain
                        ? stays(part, stages, behind)
                        : "The $match " + part + " perhaps moves in front of stage " + (behind + 1) + ", "
                                + stages.get(behind).name() + ": it is not counted on.");
    }

    private static String stays(String match, List<PipelineStage> stages, int behind) {
        return "The $match " + match + " cannot move in front of stage " + (behind + 1) + ", "
                + stages.get(behind).name() + ", so it narrows no shards.";
    }
}
