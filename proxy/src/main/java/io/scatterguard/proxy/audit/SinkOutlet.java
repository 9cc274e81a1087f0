package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One sink as its thread sees it: it remembers what the sink lost, and says so in the sink as soon as it works again. */
final class SinkOutlet {
    private static final Logger LOG = LoggerFactory.getLogger(SinkOutlet.class);

    private AuditSink sink;
    private final Function<Gap, byte[]> gapLine;
    private @Nullable Gap lost;

    SinkOutlet(AuditSink sink, Function<Gap, byte[]> gapLine) {
        this.sink = sink;
        this.gapLine = gapLine;
    }

    /**
     * Writes and flushes a batch, and before it a gap record of what was lost earlier. An empty batch is a chance to say
     * what was lost.
     *
     * @return how many of the batch the sink took, from the first; -1 if it failed before that
     */
    int write(List<LaneSlot> batch) {
        Gap said = lost;
        if (batch.isEmpty() && said == null) {
            return 0;
        }
        List<byte[]> lines = new ArrayList<>(batch.size() + 1);
        if (said != null) {
            lines.add(gapLine.apply(said));
        }
        batch.forEach(slot -> lines.add(slot instanceof RecordLine line ? line.bytes() : gapLine.apply(slot.covers())));
        int before = said == null ? 0 : 1;
        try {
            sink.write(lines);
            sink.flush();
        } catch (PartlyWrittenException e) {
            return failed(batch, e.lines() - before, e);
        } catch (IOException | RuntimeException | Error e) {
            // An Error too: a sink is foreign code, and memory or a class that it lacks is no reason to stop recording.
            return failed(batch, -before, e);
        }
        if (said != null) {
            LOG.info("audit sink works again sink={} lostFrom={} lostTo={}", sink.name(), said.from(), said.to());
            lost = null;
        }
        return batch.size();
    }

    /** {@code taken} of the batch arrived; -1 if not even the gap before it did. */
    private int failed(List<LaneSlot> batch, int taken, Throwable e) {
        boolean first = lost == null;
        if (taken >= 0) {
            lost = null;
        }
        batch.subList(Math.max(0, taken), batch.size()).forEach(slot -> missed(slot.covers()));
        if (first) {
            Throwable cause = e instanceof PartlyWrittenException && e.getCause() != null ? e.getCause() : e;
            LOG.warn("audit sink failed, records are being dropped sink={} error={}", sink.name(), cause.toString());
        }
        return taken;
    }

    /** Notes records that this sink will not get. */
    void missed(Gap gap) {
        lost = lost == null ? gap : lost.union(gap);
    }

    /** Closes the sink and goes on with {@code next}, what the former lost included; false if it did not close. */
    boolean replace(AuditSink next) {
        boolean good = close();
        sink = next;
        return good;
    }

    /** Returns false if the sink failed. */
    boolean close() {
        try {
            sink.close();
            return true;
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("audit sink did not close sink={} error={}", sink.name(), e.toString());
            return false;
        }
    }
}
