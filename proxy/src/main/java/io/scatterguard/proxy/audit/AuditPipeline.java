package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The audit log: takes what a record needs on the event loops, and lets a thread of its own write it to the sinks through
 * one bounded queue. When the sinks do not keep up, or fail, records are dropped and counted, and a gap record says which.
 *
 * <pre>
 * event loops: begin → end → AuditQueue (offer only) → audit-writer thread: JsonLines → AuditSink …
 * </pre>
 */
public final class AuditPipeline implements Auditor, AutoCloseable {
    private final AuditSettings settings;
    private final Function<Route, String> why;
    private final Clock clock;
    private final AuditQueue queue;
    private final AuditCounters counters;
    private final AuditWriter writer;
    private final Thread thread;

    private AuditPipeline(AuditSettings settings, List<AuditSink> sinks, Function<Route, String> why, Clock clock) {
        this.settings = settings;
        this.why = why;
        this.clock = clock;
        this.queue = new AuditQueue(settings.queueCapacity());
        this.counters = new AuditCounters();
        this.writer = new AuditWriter(settings, queue, new JsonLines(), clock, counters, sinks);
        this.thread = new Thread(writer, "audit-writer");
        thread.setDaemon(true);
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
        pipeline.thread.start();
        return pipeline;
    }

    @Override
    public @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source) {
        try {
            if (!isRecorded(route, verdict) || isSensitive(command)) {
                return null;
            }
            RecordedRoute recorded = RecordedRoute.of(route, sentence(route), notes(command, route), wouldFail);
            return new PendingEvent(clock.instant(), source, subject(command, route), recorded, verdict);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("taking a command", e);
            return null;
        }
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        try {
            if (!queue.offer((PendingEvent) pending, outcome)) {
                counters.dropped.increment();
            }
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            counters.internalError("handing over a record", e);
        }
    }

    private boolean isRecorded(Route route, Verdict verdict) {
        return switch (settings.recording()) {
            case FINDINGS -> verdict.action() != Action.ALLOW || verdict.exemption() != null;
            case ROUTED -> route.kind() != Route.Kind.NOT_ROUTED;
            case ALL -> true;
        };
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

    /** A malformed {@code explain} is recorded: nothing but its name can be read of it. */
    private static boolean isSensitive(CommandView command) {
        try {
            return command.commandName().isSensitive()
                    || command.explained()
                            .map(inner -> inner.commandName().isSensitive())
                            .orElse(false);
        } catch (MalformedBsonException e) {
            return false;
        }
    }

    /** Of a handshake only the name: it may carry {@code speculativeAuthenticate}. */
    private static AuditEvent.Subject subject(CommandView command, Route route) {
        String name = CommandShape.nameOf(command);
        Namespace namespace = new Namespace(command.database(), "");
        try {
            namespace =
                    cut(route.kind() == Route.Kind.NOT_ROUTED ? QueryShapes.namespaceOf(command) : route.namespace());
            if (command.commandName().kind() == CommandName.Kind.HANDSHAKE) {
                return new AuditEvent.Subject(namespace, name, null, null);
            }
            BsonValueView comment = command.get("comment");
            String parts = comment == null ? null : CommentParts.of(comment);
            return new AuditEvent.Subject(namespace, name, parts, QueryShapes.of(command));
        } catch (MalformedBsonException e) {
            // The client's fault, not ours: recorded all the same, with what could be read.
            return new AuditEvent.Subject(namespace, name, null, null);
        }
    }

    /** What waits in the queue must not be as long as a client likes. */
    private static Namespace cut(Namespace namespace) {
        return new Namespace(
                JsonFields.cut(namespace.database(), JsonFields.MAX_TEXT_CHARS),
                JsonFields.cut(namespace.collection(), JsonFields.MAX_TEXT_CHARS));
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
        return counters.recorded.sum();
    }

    /** How many records at least one sink never got: the queue was full, a sink failed, closing took too long. */
    public long dropped() {
        return counters.dropped.sum();
    }

    /** How often a sink failed to take a batch. */
    public long sinkErrors() {
        return counters.sinkErrors.sum();
    }

    /** How many errors of ours were kept from the traffic. */
    public long internalErrors() {
        return counters.internalErrors.sum();
    }

    /**
     * Takes no more records, writes what waits and closes the sinks; what is not written within
     * {@link AuditSettings#closeDeadline()} is dropped. Blocks: not for an event loop.
     */
    @Override
    public void close() {
        queue.close();
        try {
            thread.join(Math.max(1, settings.closeDeadline().toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            counters.dropped.add(writer.abandon() + queue.discard());
            thread.interrupt();
        }
    }
}
