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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
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
    /** It outlives the policies, so that no change of one fills the rates up. */
    private final Throttles throttles = new Throttles();

    private final List<Place> places = new ArrayList<>();
    private int judges;
    private ScatterguardConfig config;
    private final AtomicLong version = new AtomicLong(1);
    private volatile CompiledPolicy current;

    /** {@code wrap} is put around each compiled policy. */
    LivePolicy(ScatterguardConfig config, UnaryOperator<Policy> wrap) {
        this.config = config;
        this.wrap = wrap;
        this.current = compiled(config.policy());
        config.listeners().forEach(listener -> places.add(new Place()));
    }

    /** A listener: its judge, null before there is one, and the mode that was set, null for the configured one. */
    private static final class Place {
        @Nullable CommandJudge judge;

        @Nullable Mode set;
    }

    /** The judge of the next listener, in the order of the configuration. */
    synchronized CommandJudge judge(Router router, Supplier<CatalogSnapshot> catalog) {
        int listener = judges++;
        Place place = places.get(listener);
        CommandJudge judge = new CommandJudge(
                router,
                catalog,
                compiled(listener, place.set),
                onInternalError(),
                new InternalErrorBreaker(System::nanoTime),
                Clock.systemUTC());
        place.judge = judge;
        return judge;
    }

    /** What the configuration says, whatever the mode at single listeners. */
    CompiledPolicy current() {
        return current;
    }

    /** The version that stands on verdicts from now on. */
    long version() {
        return version.get();
    }

    /** The mode at a listener, by its place in the configuration. */
    synchronized Mode mode(int listener) {
        Mode set = places.get(listener).set;
        return set != null ? set : configured(listener);
    }

    /** Whether nothing is judged at a listener, also because judging has failed too often. */
    synchronized boolean isBypassed(int listener) {
        CommandJudge judge = places.get(listener).judge;
        return judge == null ? mode(listener) == Mode.BYPASS : judge.isBypassed();
    }

    /** Applies what {@code changed} says; modes that were set stay. Does nothing if it says the same. */
    synchronized void configure(ScatterguardConfig changed) {
        boolean same = changed.policy().equals(config.policy())
                && changed.catalog().onUnknown() == config.catalog().onUnknown()
                && modes(changed).equals(modes(config));
        config = changed;
        if (!same) {
            apply();
            LOG.info(
                    "policy changed: policyVersion={} mode={} rules={} exemptions={}",
                    version.get(),
                    changed.policy().mode().text(),
                    changed.policy().rules().size(),
                    changed.policy().exemptions().size());
        }
    }

    /**
     * Sets the mode of a listener, or of all, for as long as the process runs; also before it listens.
     *
     * @param bind as configured; null for all
     * @param mode null for what the configuration says
     * @return whether there is such a listener
     */
    synchronized boolean set(@Nullable HostAndPort bind, @Nullable Mode mode) {
        boolean found = false;
        for (int i = 0; i < places.size(); i++) {
            if (bind == null || bind.equals(listener(i).bind())) {
                found = true;
                places.get(i).set = mode;
            }
        }
        if (found) {
            apply();
            LOG.warn(
                    "mode changed: listener={} mode={} policyVersion={}",
                    bind == null ? "all" : bind,
                    mode == null ? "as configured" : mode.text(),
                    version.get());
        }
        return found;
    }

    /** Whether some listener has another mode than the configuration says. */
    synchronized boolean isSet() {
        return places.stream().anyMatch(place -> place.set != null);
    }

    private void apply() {
        version.incrementAndGet();
        current = compiled(config.policy());
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            if (place.judge != null) {
                place.judge.use(compiled(i, place.set), onInternalError());
            }
        }
    }

    private Policy compiled(int listener, @Nullable Mode set) {
        PolicyConfig policy = config.policy().withMode(set != null ? set : configured(listener));
        return wrap.apply(compiled(policy));
    }

    private CompiledPolicy compiled(PolicyConfig policy) {
        return CompiledPolicy.compile(
                policy,
                config.catalog().onUnknown(),
                command -> QueryShapes.of(command).hash(),
                throttles,
                version.get());
    }

    private Mode configured(int listener) {
        Mode own = listener(listener).mode();
        return own != null ? own : config.policy().mode();
    }

    /** A listener whose configuration is no longer there keeps the policy's mode until the restart that takes it away. */
    private ListenerConfig listener(int index) {
        List<ListenerConfig> listeners = config.listeners();
        return listeners.get(Math.min(index, listeners.size() - 1));
    }

    private static List<String> modes(ScatterguardConfig config) {
        return config.listeners().stream()
                .map(listener -> Objects.toString(listener.mode()))
                .toList();
    }

    private Action onInternalError() {
        return config.policy().onInternalError() == PolicyConfig.OnInternalError.REFUSE ? Action.REFUSE : Action.ALLOW;
    }
}
