package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
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
    private final AuditSettings settings;
    private final Function<Route, String> why;
    private final Clock clock;
    private final AuditPressure pressure = new AuditPressure();
    private final AuditLedger ledger = new AuditLedger();
    private final AuditCounters counters = new AuditCounters();
    private final SampledFindings sampled;
    private final AuditQueue queue;
    private final List<SinkLane> lanes;
    private final Thread thread;

    private AuditPipeline(AuditSettings settings, List<AuditSink> sinks, Function<Route, String> why, Clock clock) {
        this.settings = settings;
        this.why = why;
        this.clock = clock;
        this.sampled = new SampledFindings(clock.instant());
        boolean blocks = sinks.stream().anyMatch(sink -> sink.whenFull() == WhenFull.BLOCK);
        this.queue = new AuditQueue(settings.queueCapacity(), highWater(blocks), ledger);
        this.lanes = sinks.stream().map(this::lane).toList();
        AuditWriter.Lanes ways = new AuditWriter.Lanes(lanes, ledger, () -> sampled.due(clock.instant()));
        this.thread = new Thread(new AuditWriter(settings, queue, clock, counters, ways), "audit-writer");
        thread.setDaemon(true);
    }

    private SinkLane lane(AuditSink sink) {
        LaneQueue waiting = new LaneQueue(settings.queueCapacity(), highWater(sink.whenFull() == WhenFull.BLOCK));
        JsonLines json = new JsonLines();
        SinkOutlet outlet = new SinkOutlet(sink, gap -> json.gap(gap, clock.instant(), settings));
        return new SinkLane(sink, waiting, outlet, counters);
    }

    private HighWater highWater(boolean blocks) {
        return new HighWater(blocks ? pressure : null, settings.queueCapacity());
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
        AuditPipeline pipeline = new AuditPipeline(settings, sinks, why, clock);
        pipeline.lanes.forEach(SinkLane::start);
        pipeline.thread.start();
        return pipeline;
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
                    return counted;
                }
            }
            RecordedRoute recorded = RecordedRoute.of(route, sentence(route), notes(command, route), wouldFail);
            return new PendingEvent(now, source, subject, recorded, verdict);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("taking a command", e);
            return null;
        }
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        try {
            if (pending instanceof SampledFindings.Counted counted) {
                FindingCounts late = sampled.end(counted, outcome.serverMicros(), clock.instant());
                if (late != null) {
                    queue.offer(late); // the queue is closed by now, or will be soon: it counts what is lost
                }
            } else {
                queue.offer(new QueuedRecord.Ended((PendingEvent) pending, outcome));
            }
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("handing over a record", e);
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

    /** How many records wait for the sinks. */
    public int waiting() {
        return queue.waiting();
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
        return lanes.stream().map(SinkLane::status).toList();
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
            thread.join(Math.max(1, millisUntil(deadline)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        lanes.forEach(lane -> lane.join(millisUntil(deadline)));
        ledger.abandon();
    }

    private static long millisUntil(long deadlineNanos) {
        return Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
    }
}
