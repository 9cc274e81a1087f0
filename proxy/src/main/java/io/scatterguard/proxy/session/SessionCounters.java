package io.scatterguard.proxy.session;

import io.scatterguard.protocol.wire.OpCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a listener counts; shared by all its sessions, written on every event loop, read by anyone. */
public final class SessionCounters {
    private final Map<OpCode, LongAdder> opCodes = adders(OpCode.class);
    private final Map<CloseCause, LongAdder> closes = adders(CloseCause.class);
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder forwarded = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder wouldRefuse = new LongAdder();
    private final LongAdder wouldFail = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder metadataWaits = new LongAdder();
    private final LongAdder metadataMisses = new LongAdder();
    private final LongAdder internalErrors = new LongAdder();
    private final LongAdder acceptFailures = new LongAdder();
    private final AtomicInteger connecting = new AtomicInteger();
    private final AtomicInteger connected = new AtomicInteger();
    private final CommandMeter meter;

    /** Commands are counted, and not measured. */
    public SessionCounters() {
        this(CommandMeter.NONE);
    }

    /** {@code meter}: measures the commands. */
    public SessionCounters(CommandMeter meter) {
        this.meter = meter;
    }

    CommandMeter meter() {
        return meter;
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        Map<E, LongAdder> map = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            map.put(constant, new LongAdder());
        }
        return map;
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> map, E key) {
        LongAdder adder = map.get(key);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return adder;
    }

    /** A connection was accepted; returns how many are open now. */
    public int opened() {
        accepted.increment();
        return open.incrementAndGet();
    }

    /** A connection that was counted by {@link #opened()} has ended. */
    public void closed(CloseCause cause) {
        open.decrementAndGet();
        adder(closes, cause).increment();
    }

    /** A session goes from one state to the next. */
    void moved(SessionState from, SessionState to) {
        count(from, -1);
        count(to, 1);
    }

    private void count(SessionState state, int change) {
        if (state instanceof SessionState.Connecting) {
            connecting.addAndGet(change);
        } else if (state instanceof SessionState.Open) {
            connected.addAndGet(change);
        }
    }

    void request(OpCode opCode) {
        adder(opCodes, opCode).increment();
    }

    void forwarded() {
        forwarded.increment();
    }

    void refused() {
        refused.increment();
    }

    void wouldRefuse() {
        wouldRefuse.increment();
    }

    void wouldFail() {
        wouldFail.increment();
    }

    void waitedForMetadata(boolean loaded) {
        metadataWaits.increment();
        if (!loaded) {
            metadataMisses.increment();
        }
    }

    void turnedAway() {
        turnedAway.increment();
    }

    void malformed() {
        malformed.increment();
    }

    void internalError() {
        internalErrors.increment();
    }

    /** A connection could not be accepted, for instance because the process has too many open files. */
    public void acceptFailed() {
        acceptFailures.increment();
    }

    /** Connections that could not be accepted. */
    public long failedAccepts() {
        return acceptFailures.sum();
    }

    /** Client connections open now. */
    public int openConnections() {
        return open.get();
    }

    /** Those of {@link #openConnections} whose server connection is being made. */
    public int connectingConnections() {
        return connecting.get();
    }

    /** Those of {@link #openConnections} that have a server connection. */
    public int connectedConnections() {
        return connected.get();
    }

    /** Client connections ever accepted, those over the limit included. */
    public long acceptedConnections() {
        return accepted.sum();
    }

    /** Requests of this opcode. */
    public long requests(OpCode opCode) {
        return adder(opCodes, opCode).sum();
    }

    public long closes(CloseCause cause) {
        return adder(closes, cause).sum();
    }

    /** Requests sent on to the server. */
    public long forwardedRequests() {
        return forwarded.sum();
    }

    /** Commands answered with a refusal. */
    public long refusedCommands() {
        return refused.sum();
    }

    /** Commands forwarded that would have been refused, had mode and circumstances allowed it. */
    public long wouldRefuseCommands() {
        return wouldRefuse.sum();
    }

    /** Commands that a cluster sharded by the declared keys would certainly refuse, in front of a server that is none. */
    public long wouldFailCommands() {
        return wouldFail.sum();
    }

    /** Commands that waited for metadata of their namespace. */
    public long metadataWaits() {
        return metadataWaits.sum();
    }

    /** Those of {@link #metadataWaits} for which it could not be had in time. */
    public long metadataMisses() {
        return metadataMisses.sum();
    }

    /** Commands answered with that the primary of the replica set has changed, on connections to the former one. */
    public long turnedAwayCommands() {
        return turnedAway.sum();
    }

    /** Requests that contradict themselves, answered with the server's own error. */
    public long malformedRequests() {
        return malformed.sum();
    }

    /** Faults of our own while judging. */
    public long internalErrorCount() {
        return internalErrors.sum();
    }
}
