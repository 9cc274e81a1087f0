package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.session.CommandMeter;
import io.scatterguard.proxy.session.Judgement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures commands. All meters of a command are found by four small numbers and its owner's name; the look-up allocates
 * nothing, takes no lock, and only a finding makes an object.
 */
@SuppressWarnings("EnumOrdinal") // the indices live no longer than the process
final class CommandMeters implements CommandMeter {
    /** How many owners have a label of their own. */
    static final int MAX_OWNERS = 50;

    static final String NO_SHAPE = "none";

    private static final Operation[] OPERATIONS = Operation.values();
    private static final Decision[] DECISIONS = Decision.values();
    private static final Shape[] SHAPES = Shape.values();
    private static final Placement[] PLACEMENTS = Placement.values();

    private final MeterRegistry registry;
    private final OwnerLookup lookup;
    private final FindingCounters findings;
    private final Counter[] commands;
    private final Counter[] hosts;
    private final Timer[] serverTimes;
    private final Timer proxyTime;
    private final Counter requestBytes;
    private final Counter replyBytes;
    private final BoundedLabels<Owner> owners;
    private final Tally unjudged;
    private final LongAdder errors = new LongAdder();

    /** What is measured of one owner's commands; the tallies are made when first needed. */
    private record Owner(String label, Counter shardSeconds, AtomicReferenceArray<@Nullable Tally> tallies) {}

    CommandMeters(MeterRegistry registry, OwnerLookup lookup, FindingCounters findings) {
        this.registry = registry;
        this.lookup = lookup;
        this.findings = findings;
        this.commands = counters(
                OPERATIONS.length * DECISIONS.length,
                i -> Metric.COMMANDS.counter(
                        registry, OPERATIONS[i / DECISIONS.length].text(), DECISIONS[i % DECISIONS.length].text()));
        this.hosts = counters(
                OPERATIONS.length * PLACEMENTS.length,
                i -> host(OPERATIONS[i / PLACEMENTS.length], i % PLACEMENTS.length));
        this.serverTimes = IntStream.rangeClosed(0, SHAPES.length)
                .mapToObj(i -> Metric.SERVER_DURATION.histogram(registry, shapeText(i)))
                .toArray(Timer[]::new);
        this.proxyTime = Metric.PROXY_DURATION.histogram(registry);
        this.requestBytes = Metric.BYTES.counter(registry, "request");
        this.replyBytes = Metric.BYTES.counter(registry, "reply");
        this.owners = new BoundedLabels<>(MAX_OWNERS, this::owner);
        owners.of(OwnerLookup.UNOWNED);
        this.unjudged = (shards, proxyNanos, serverNanos, request, reply) -> {
            command(Operation.OTHER, Decision.UNJUDGED).increment();
            requestBytes.increment((double) request);
            replyBytes.increment((double) reply);
        };
    }

    private static Counter[] counters(int count, IntFunction<@Nullable Counter> maker) {
        return IntStream.range(0, count).mapToObj(maker).toArray(Counter[]::new);
    }

    private @Nullable Counter host(Operation operation, int placement) {
        return operation.isCountedByServers()
                ? Metric.HOSTS_TARGETED.counter(registry, operation.text(), PLACEMENTS[placement].text())
                : null;
    }

    private Owner owner(String label) {
        int combinations = OPERATIONS.length * DECISIONS.length * (SHAPES.length + 1) * (PLACEMENTS.length + 1);
        return new Owner(
                label, Metric.SHARD_SECONDS.counter(registry, label), new AtomicReferenceArray<>(combinations));
    }

    private static String shapeText(int shape) {
        return shape == SHAPES.length ? NO_SHAPE : SHAPES[shape].text();
    }

    private Counter command(Operation operation, Decision decision) {
        return commands[operation.ordinal() * DECISIONS.length + decision.ordinal()];
    }

    @Override
    public Tally unjudged() {
        return unjudged;
    }

    @Override
    public Tally judged(CommandView command, Judgement judgement, ClientInfo client) {
        try {
            Route route = judgement.route();
            Operation operation = Operation.of(command.commandName());
            Decision decision = Decision.of(judgement.verdict());
            Owner owner = owners.of(lookup.ownerOf(route, client));
            Shape shape = route.shape();
            int shapeIndex = shape == null ? SHAPES.length : shape.ordinal();
            Tally tally = tally(owner, operation, decision, shapeIndex, placementIndex(route, decision));
            if (!decision.isFinding()) {
                return tally;
            }
            Counter finding = findings.of(owner.label(), route.namespace(), shapeText(shapeIndex), decision);
            return (shards, proxyNanos, serverNanos, request, reply) -> {
                finding.increment();
                tally.ended(shards, proxyNanos, serverNanos, request, reply);
            };
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            errors.increment();
            return unjudged;
        }
    }

    /** What no server is asked to do, or nobody knows where, is counted under no placement. */
    private static int placementIndex(Route route, Decision decision) {
        boolean targeted = route.kind() != Route.Kind.NOT_ROUTED && decision != Decision.REFUSE && route.isPlaced();
        return targeted ? route.placement().ordinal() : PLACEMENTS.length;
    }

    private Tally tally(Owner owner, Operation operation, Decision decision, int shape, int placement) {
        int index = ((operation.ordinal() * DECISIONS.length + decision.ordinal()) * (SHAPES.length + 1) + shape)
                        * (PLACEMENTS.length + 1)
                + placement;
        Tally known = owner.tallies().get(index);
        if (known != null) {
            return known;
        }
        Counter host =
                placement == PLACEMENTS.length ? null : hosts[operation.ordinal() * PLACEMENTS.length + placement];
        Tally made = new CommandTally(
                command(operation, decision), host, serverTimes[shape], owner.shardSeconds(), this::measured);
        owner.tallies().set(index, made);
        return made;
    }

    private void measured(long proxyNanos, long request, long reply) {
        proxyTime.record(proxyNanos, TimeUnit.NANOSECONDS);
        requestBytes.increment((double) request);
        replyBytes.increment((double) reply);
    }

    /** Faults of ours while measuring. */
    long errors() {
        return errors.sum();
    }

    /** How often {@code other} stood for an owner. */
    long foldedOwners() {
        return owners.folded();
    }
}
