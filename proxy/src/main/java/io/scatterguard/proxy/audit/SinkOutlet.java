package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One sink as the writer sees it: it remembers what the sink lost, and says so in the sink as soon as it works again. */
final class SinkOutlet {
    private static final Logger LOG = LoggerFactory.getLogger(SinkOutlet.class);

    /**
     * One line on its way.
     *
     * @param covers the {@code seq} of the record, or of the records a gap stands for
     * @param isRecord false for a gap
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Line(byte[] bytes, Gap covers, boolean isRecord) {}

    private final AuditSink sink;
    private final Function<Gap, byte[]> gapLine;
    private @Nullable Gap lost;

    SinkOutlet(AuditSink sink, Function<Gap, byte[]> gapLine) {
        this.sink = sink;
        this.gapLine = gapLine;
    }

    /**
     * Writes and flushes a batch, and before it a gap record of what was lost earlier.
     *
     * @return false if the sink failed: the batch is lost for it
     */
    boolean write(List<Line> batch) {
        if (batch.isEmpty() && lost == null) {
            return true;
        }
        try {
            List<byte[]> lines = new ArrayList<>(batch.size() + 1);
            if (lost != null) {
                lines.add(gapLine.apply(lost));
            }
            batch.forEach(line -> lines.add(line.bytes()));
            sink.write(lines);
            sink.flush();
        } catch (IOException | RuntimeException | Error e) {
            // An Error too: a sink is foreign code, and memory or a class that it lacks is no reason to stop recording.
            failed(batch, e);
            return false;
        }
        if (lost != null) {
            LOG.info("audit sink works again sink={} lostFrom={} lostTo={}", sink.name(), lost.from(), lost.to());
            lost = null;
        }
        return true;
    }

    private void failed(List<Line> batch, Throwable e) {
        boolean first = lost == null;
        batch.forEach(line -> missed(line.covers()));
        if (first) {
            LOG.warn("audit sink failed, records are being dropped sink={} error={}", sink.name(), e.toString());
        }
    }

    /** Notes records that this sink will not get. */
    void missed(Gap gap) {
        lost = lost == null ? gap : lost.union(gap);
    }

    /** Tries once more to say what was lost. Returns false if the sink failed. */
    boolean sayLost() {
        return write(List.of());
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
