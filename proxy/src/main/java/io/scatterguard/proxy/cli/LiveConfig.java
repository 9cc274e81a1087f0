package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.metrics.PolicyMeters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a running proxy, and what has become of edits of it. What can change while it runs is applied at once and
 * no connection is dropped: the policy, the mode of a listener, declared shard keys. What is left waits for the next start, and
 * an edit that is wrong changes nothing. Thread-safe.
 */
final class LiveConfig implements PolicyMeters.Edits {
    private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);

    /**
     * What has become of edits.
     *
     * @param applied how many were applied
     * @param refused how many were wrong
     * @param error what is wrong with the last one; null if nothing
     * @param pending keys that differ from what the process was started with, and wait for a start
     */
    record Outcome(long applied, long refused, @Nullable String error, List<String> pending) {
        Outcome {
            pending = List.copyOf(pending);
        }
    }

    private final ScatterguardConfig started;
    private final LivePolicy policy;
    private final DeclaredKeys declared;
    private final CatalogRefresher catalog;
    private volatile ScatterguardConfig current;
    private volatile Outcome edits = new Outcome(0, 0, null, List.of());

    LiveConfig(ScatterguardConfig started, LivePolicy policy, DeclaredKeys declared, CatalogRefresher catalog) {
        this.started = started;
        this.policy = policy;
        this.declared = declared;
        this.catalog = catalog;
        this.current = started;
    }

    /** What the process was started with. */
    ScatterguardConfig started() {
        return started;
    }

    /** What was configured last. */
    ScatterguardConfig current() {
        return current;
    }

    Outcome edits() {
        return edits;
    }

    @Override
    public long applied() {
        return edits.applied();
    }

    @Override
    public long refused() {
        return edits.refused();
    }

    @Override
    public boolean lastRefused() {
        return edits.error() != null;
    }

    /** Applies an edit. */
    synchronized void apply(ScatterguardConfig changed) {
        if (changed.equals(current) && edits.error() == null) {
            return;
        }
        policy.configure(changed);
        if (declared.replace(changed.shardingRules())) {
            catalog.overlayChanged();
        }
        List<String> pending = pending(started, changed);
        current = changed;
        edits = new Outcome(edits.applied() + 1, edits.refused(), null, pending);
        if (pending.isEmpty()) {
            LOG.info("configuration applied: policyVersion={}", policy.version());
        } else {
            LOG.warn(
                    "configuration applied but for what only a start changes: policyVersion={} waiting={}",
                    policy.version(),
                    pending);
        }
    }

    /** An edit is wrong; {@code error} says why, for people. */
    synchronized void refuse(String error) {
        edits = new Outcome(edits.applied(), edits.refused() + 1, error, edits.pending());
        LOG.error("configuration not applied, the one before stays: {}", error);
    }

    /** The top-level keys in which {@code changed} asks for what only a start can do. */
    private static List<String> pending(ScatterguardConfig started, ScatterguardConfig changed) {
        List<String> keys = new ArrayList<>();
        differ(keys, "cluster", started.cluster(), changed.cluster());
        differ(keys, "listeners", withoutModes(started), withoutModes(changed));
        differ(keys, "server", started.server(), changed.server());
        differ(keys, "catalog", withoutOnUnknown(started.catalog()), withoutOnUnknown(changed.catalog()));
        differ(keys, "routerVersion", started.routerVersion(), changed.routerVersion());
        differ(keys, "transport", started.transport(), changed.transport());
        differ(keys, "audit", started.audit(), changed.audit());
        differ(keys, "metrics", metrics(started.observation()), metrics(changed.observation()));
        differ(
                keys,
                "tracing",
                started.observation().tracing(),
                changed.observation().tracing());
        differ(
                keys,
                "health",
                started.observation().health(),
                changed.observation().health());
        differ(
                keys,
                "admin",
                started.observation().admin(),
                changed.observation().admin());
        differ(keys, "limits", started.limits(), changed.limits());
        return keys;
    }

    private static List<@Nullable Object> metrics(ObservationConfig observation) {
        return Arrays.asList(observation.topNamespaces(), observation.push());
    }

    private static void differ(List<String> keys, String key, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            keys.add(key);
        }
    }

    private static List<ListenerConfig> withoutModes(ScatterguardConfig config) {
        return config.listeners().stream()
                .map(listener -> listener.withMode(null))
                .toList();
    }

    private static CatalogConfig withoutOnUnknown(CatalogConfig catalog) {
        return new CatalogConfig(
                catalog.uri(),
                catalog.refresh(),
                CatalogConfig.OnUnknown.ALLOW,
                catalog.detail(),
                catalog.loadTimeout());
    }
}
