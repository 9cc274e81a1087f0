package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Throttles;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.session.CommandJudge;
import io.scatterguard.proxy.session.InternalErrorBreaker;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy in force at each listener while the process runs: what the configuration says, and a mode that was set besides,
 * which holds over that of the configuration until it is taken back. Thread-safe; every change has a version of its own.
 */
final class LivePolicy {
    private static final Logger LOG = LoggerFactory.getLogger(LivePolicy.class);

    private final UnaryOperator<Policy> wrap;
    private final Supplier<InternalErrorBreaker> breakers;
    /** It outlives the policies, so that no change of one fills the rates up. */
    private final Throttles throttles = new Throttles();

    private final List<Place> places = new CopyOnWriteArrayList<>();
    private ScatterguardConfig config;
    private final AtomicLong version = new AtomicLong(1);
    /** The policy of this version in each mode that some listener has. */
    private final Map<Mode, CompiledPolicy> compiled = new EnumMap<>(Mode.class);

    private volatile CompiledPolicy current;

    /** {@code wrap} is put around each compiled policy. */
    LivePolicy(ScatterguardConfig config, UnaryOperator<Policy> wrap) {
        this(config, wrap, () -> new InternalErrorBreaker(System::nanoTime));
    }

    LivePolicy(ScatterguardConfig config, UnaryOperator<Policy> wrap, Supplier<InternalErrorBreaker> breakers) {
        this.config = config;
        this.wrap = wrap;
        this.breakers = breakers;
        this.current = compiled(config.policy().mode());
        config.listeners().forEach(listener -> places.add(new Place(listener.bind(), configured(listener.bind()))));
    }

    /** A listener: where it was started, and by what it judges. An edit of the list of listeners waits for a start. */
    private static final class Place {
        final HostAndPort bind;
        /** Null before it listens. */
        volatile @Nullable CommandJudge judge;
        /** The mode that was set; null for the configured one. */
        volatile @Nullable Mode set;

        volatile Mode inForce;

        Place(HostAndPort bind, Mode inForce) {
            this.bind = bind;
            this.inForce = inForce;
        }
    }

    /** The judge of a listener, by its place in the configuration that this was started with. */
    synchronized CommandJudge judge(int listener, Router router, Supplier<CatalogSnapshot> catalog) {
        Place place = places.get(listener);
        CommandJudge judge = new CommandJudge(
                router,
                catalog,
                wrap.apply(compiled(place.inForce)),
                onInternalError(),
                breakers.get(),
                Clock.systemUTC());
        place.judge = judge;
        return judge;
    }

    /** What the configuration says, whatever the mode at single listeners. */
    CompiledPolicy current() {
        return current;
    }

    /**
     * What a listener judges by at present, for asking what it would say: without taking anything from the rates of throttles,
     * each of which is taken to be exceeded. Where nothing is judged, also because judging has failed too often, it is bypass.
     */
    synchronized CompiledPolicy trial(int listener) {
        Mode mode = isBypassed(listener) ? Mode.BYPASS : mode(listener);
        return compiled(mode, Throttles.exhausted());
    }

    /** What is left of the rates. */
    Throttles throttles() {
        return throttles;
    }

    /** The version that stands on verdicts from now on. */
    long version() {
        return version.get();
    }

    /** The mode at a listener, by its place in the order of the start. Waits for nothing. */
    Mode mode(int listener) {
        return places.get(listener).inForce;
    }

    /** Whether nothing is judged at a listener, also because judging has failed too often. Waits for nothing. */
    boolean isBypassed(int listener) {
        Place place = places.get(listener);
        CommandJudge judge = place.judge;
        return judge == null ? place.inForce == Mode.BYPASS : judge.isBypassed();
    }

    /** Applies what {@code changed} says; modes that were set stay. Does nothing if it says the same. */
    synchronized void configure(ScatterguardConfig changed) {
        boolean samePolicy = changed.policy().equals(config.policy())
                && changed.catalog().onUnknown() == config.catalog().onUnknown();
        config = changed;
        boolean sameModes = places.stream().allMatch(place -> place.inForce == modeOf(place));
        if (samePolicy && sameModes) {
            return;
        }
        apply(place -> !samePolicy || place.inForce != modeOf(place));
        LOG.info(
                "policy changed: policyVersion={} mode={} rules={} exemptions={}",
                version.get(),
                changed.policy().mode().text(),
                changed.policy().rules().size(),
                changed.policy().exemptions().size());
    }

    /**
     * Sets the mode of a listener, or of all, for as long as the process runs; also before it listens.
     *
     * @param bind as it was configured at the start; null for all
     * @param mode null for what the configuration says
     * @return whether there is such a listener
     */
    synchronized boolean set(@Nullable HostAndPort bind, @Nullable Mode mode) {
        Predicate<Place> meant = place -> bind == null || bind.equals(place.bind);
        boolean found = places.stream().anyMatch(meant);
        if (found) {
            places.stream().filter(meant).forEach(place -> place.set = mode);
            apply(meant);
            LOG.warn(
                    "mode changed: listener={} mode={} policyVersion={}",
                    bind == null ? "all" : bind,
                    mode == null ? "as configured" : mode.text(),
                    version.get());
        }
        return found;
    }

    /** The way out for whoever has nothing but a signal, and the way back to what is configured. */
    synchronized void toggleBypass() {
        boolean out = places.stream().allMatch(place -> place.set == Mode.BYPASS);
        set(null, out ? null : Mode.BYPASS);
    }

    /** Has all judge by a new version; where {@code anew} holds, also if judging had failed too often there. */
    private void apply(Predicate<Place> anew) {
        version.incrementAndGet();
        compiled.clear();
        current = compiled(config.policy().mode());
        for (Place place : places) {
            boolean again = anew.test(place);
            place.inForce = modeOf(place);
            CommandJudge judge = place.judge;
            if (judge != null) {
                judge.use(wrap.apply(compiled(place.inForce)), onInternalError());
            }
            if (judge != null && again) {
                judge.judgeAgain();
            }
        }
    }

    private CompiledPolicy compiled(Mode mode) {
        return compiled.computeIfAbsent(mode, same -> compiled(mode, throttles));
    }

    private CompiledPolicy compiled(Mode mode, Throttles rates) {
        return CompiledPolicy.compile(
                config.policy().withMode(mode),
                config.catalog().onUnknown(),
                command -> QueryShapes.of(command).hash(),
                rates,
                version.get());
    }

    private Mode modeOf(Place place) {
        Mode set = place.set;
        return set != null ? set : configured(place.bind);
    }

    /** A listener that is not in the configuration any more has the policy's mode until the start that takes it away. */
    private Mode configured(HostAndPort bind) {
        return config.listeners().stream()
                .filter(listener -> listener.bind().equals(bind))
                .map(ListenerConfig::mode)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(config.policy().mode());
    }

    private Action onInternalError() {
        return config.policy().onInternalError() == PolicyConfig.OnInternalError.REFUSE ? Action.REFUSE : Action.ALLOW;
    }
}
