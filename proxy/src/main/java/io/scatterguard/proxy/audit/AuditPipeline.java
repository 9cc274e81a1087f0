package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.findings.ShapeTable;
import io.scatterguard.proxy.findings.Sighting;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The audit log: takes what a record needs on the event loops, and lets threads of its own write it to the sinks, each
 * through a bounded queue. When a sink does not keep up, or fails, its records are dropped and counted, and a gap record
 * says which.
 *
 * <pre>
 * event loops: begin → end → AuditQueue (offer only) → audit-writer: JsonLines → LaneQueue → audit-TYPE: AuditSink
 *                                                                              → LaneQueue → audit-TYPE: AuditSink …
 * </pre>
 */
public final class AuditPipeline implements Auditor, AutoCloseable {
    private volatile AuditSettings settings;
    private final Function<Route, String> why;
    private final Clock clock;
    private final AuditPressure pressure = new AuditPressure();
    private final AuditLedger ledger = new AuditLedger();
    private final AuditCounters counters = new AuditCounters();
    private final SampledFindings sampled;
    private final ShapeTable shapes;
    private final AuditQueue queue;
    private final SinkLanes lanes;
    private final Thread thread;

    private AuditPipeline(AuditSettings settings, Function<Route, String> why, Clock clock) {
        this.settings = settings;
        this.why = why;
        this.clock = clock;
        this.sampled = new SampledFindings(clock.instant());
        this.shapes = new ShapeTable(clock);
        this.queue = new AuditQueue(settings.queueCapacity(), new HighWater(null, settings.queueCapacity()), ledger);
        this.lanes = new SinkLanes(this::lane, pressure);
        AuditWriter.Numbers numbers = new AuditWriter.Numbers(ledger, counters);
        AuditWriter writer =
                new AuditWriter(settings, queue, clock, lanes, numbers, () -> sampled.due(clock.instant()));
        this.thread = new Thread(writer, "audit-writer");
        thread.setDaemon(true);
    }

    private SinkLane lane(AuditSink sink, LaneQueue waiting) {
        JsonLines json = new JsonLines();
        SinkOutlet outlet = new SinkOutlet(sink, gap -> json.gap(gap, clock.instant(), settings));
        return new SinkLane(sink, waiting, outlet, counters);
    }

    /**
     * Starts a pipeline.
     *
     * @param sinks where every record goes; the pipeline closes them
     * @param why makes the sentence of a route; called on event loops, for recorded commands only
     * @param clock gives the records their times
     */
    public static AuditPipeline start(
            AuditSettings settings, List<AuditSink> sinks, Function<Route, String> why, Clock clock) {
        AuditPipeline pipeline = new AuditPipeline(settings, why, clock);
        pipeline.use(settings, sinks);
        pipeline.thread.start();
        return pipeline;
    }

    /**
     * Goes on with other settings and sinks; numbers and counts go on as well. A sink that stays keeps its queue. What waits
     * for one that goes is written to it, by {@link AuditSettings#closeDeadline()}, then it is closed. Does not wait for that.
     *
     * @param changed of the same cluster and instance
     * @param sinks where every record goes from now on; the pipeline closes them. Those that stay are the same objects
     */
    public void use(AuditSettings changed, List<AuditSink> sinks) {
        lanes.use(sinks, changed.queueCapacity(), changed.closeDeadline());
        queue.fit(lanes.blocks() ? pressure : null, changed.queueCapacity());
        settings = changed;
    }

    @Override
    public @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source) {
        try {
            if (!isRecorded(route, verdict) || Subjects.isSensitive(command)) {
                return null;
            }
            Instant now = clock.instant();
            AuditEvent.Subject subject = Subjects.of(command, route);
            if (isSampled(verdict)) {
                PendingRecord counted = sampled.begin(subject, source.client().appName(), verdict, now);
                if (counted != null) {
                    return new Sighted(counted, Sightings.of(subject, route, verdict, source));
                }
            }
            List<Note> notes = notes(command, route);
            RecordedFix fix = fix(command, route, verdict, notes, wouldFail);
            RecordedRoute recorded = RecordedRoute.of(route, sentence(route), fix, notes, wouldFail);
            PendingEvent event = new PendingEvent(now, source, subject, recorded, verdict, literals(command));
            return new Sighted(event, Sightings.of(subject, route, verdict, source));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("taking a command", e);
            return null;
        }
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        try {
            Sighted sighted = (Sighted) pending;
            count(sighted.sighting(), outcome);
            if (sighted.record() instanceof SampledFindings.Counted counted) {
                FindingCounts late = sampled.end(counted, outcome.serverMicros(), clock.instant());
                if (late != null) {
                    queue.offer(late); // the queue is closed by now, or will be soon: it counts what is lost
                }
            } else {
                PendingEvent event = (PendingEvent) sighted.record();
                if (!queue.offer(new QueuedRecord.Ended(event, outcome)) && isSampled(event.verdict())) {
                    sampled.exampleLost(event.subject(), event.source().client().appName());
                }
            }
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("handing over a record", e);
        }
    }

    /** A record whose command is in flight, and what the table of shapes is told when it ends. */
    record Sighted(PendingRecord record, Sighting sighting) implements PendingRecord {
        @Override
        public @Nullable String shapeHash() {
            return record.shapeHash();
        }
    }

    private void count(Sighting sighting, Outcome outcome) {
        try {
            shapes.count(sighting, outcome.serverMicros());
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("counting a shape", e);
        }
    }

    private boolean isRecorded(Route route, Verdict verdict) {
        return switch (settings.recording()) {
            case FINDINGS -> verdict.isFinding();
            case ROUTED -> verdict.isFinding() || route.kind() != Route.Kind.NOT_ROUTED;
            case ALL -> true;
        };
    }

    private boolean isSampled(Verdict verdict) {
        return settings.recording() == AuditSettings.Recording.FINDINGS
                && settings.findings() == AuditSettings.Findings.SAMPLED
                && verdict.action() != Action.REFUSE;
    }

    /** A record without its sentence is better than none. */
    private String sentence(Route route) {
        try {
            return route.kind() == Route.Kind.NOT_ROUTED
                    ? ""
                    : JsonFields.cut(why.apply(route), RouteFields.MAX_WHY_CHARS);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("explaining a route", e);
            return "";
        }
    }

    /** A record without its fix is better than none. */
    private RecordedFix fix(
            CommandView command, Route route, Verdict verdict, List<Note> notes, @Nullable WouldFail wouldFail) {
        try {
            return RecordedFix.of(command, route, verdict, notes, wouldFail);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("looking for a fix", e);
            return RecordedFix.NONE;
        }
    }

    /** A record without its values is better than none. */
    private @Nullable Literals literals(CommandView command) {
        try {
            return settings.values() == AuditSettings.Values.FULL ? Literals.of(command) : null;
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("taking values", e);
            return null;
        }
    }

    /** Made of recorded commands only: it reads their filters once more. A record without its notes is better than none. */
    private List<Note> notes(CommandView command, Route route) {
        try {
            return Notes.of(command, route);
        } catch (MalformedBsonException e) {
            return List.of();
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("taking notes", e);
            return List.of();
        }
    }

    /** The shapes of all commands that got a record, or were counted for one; also of those whose record was dropped. */
    public ShapeTable shapes() {
        return shapes;
    }

    /** How many records wait for the sinks. */
    public int waiting() {
        return queue.waiting();
    }

    /**
     * The most records that ever waited to become lines: {@link #queueCapacity()}, and up to {@link #maxSampledKeys()} and one
     * counts besides, for which there is always room.
     */
    public int peakWaiting() {
        return queue.peak();
    }

    /** How many shapes and applications sampled findings are counted by now. */
    public int sampledKeys() {
        return sampled.keys();
    }

    /** How many they are counted by at most; what comes besides is counted together. */
    public static int maxSampledKeys() {
        return SampledFindings.MAX_KEYS;
    }

    /** How many records may wait. */
    public int queueCapacity() {
        return settings.queueCapacity();
    }

    /** How many records every sink took. */
    public long recorded() {
        return ledger.recorded();
    }

    /** How many records at least one sink never got: the queue was full, a sink failed, closing took too long. */
    public long dropped() {
        return ledger.dropped();
    }

    /**
     * Waits until what came by now is with the sinks, or is lost.
     *
     * @return false if it is not within {@code timeout}
     */
    public boolean awaitWritten(Duration timeout) throws InterruptedException {
        return ledger.awaitSettled(queue.lastSeq(), timeout.toNanos());
    }

    /** How often a sink failed to take a batch. */
    public long sinkErrors() {
        return counters.sinkErrors.sum();
    }

    /** How many errors of ours were kept from the traffic. */
    public long internalErrors() {
        return counters.internalErrors.sum();
    }

    /** How each sink is doing, in the order they were given. */
    public List<SinkStatus> sinks() {
        return lanes.status();
    }

    @Override
    public AuditPressure pressure() {
        return pressure;
    }

    /**
     * Takes no more records, writes what waits and closes the sinks; what is not written within
     * {@link AuditSettings#closeDeadline()} is dropped. Blocks: not for an event loop.
     */
    @Override
    public void close() {
        queue.addAll(sampled.close(clock.instant()));
        queue.close();
        long deadline = System.nanoTime() + settings.closeDeadline().toNanos();
        try {
            thread.join(Math.max(1, SinkLanes.millisUntil(deadline)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        lanes.join(deadline);
        ledger.abandon();
    }
}
