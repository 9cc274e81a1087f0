package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.metrics.PolicyMeters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a running proxy, and what has become of edits of it. What can change while it runs ({@link LivePart}) is
 * applied at once and no connection is dropped. What is left waits for the next start ({@link PendingKeys}), and an edit that is
 * wrong, or that one part cannot follow, changes nothing. Thread-safe.
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
    private final List<LivePart> parts;
    private volatile ScatterguardConfig current;
    private volatile Outcome edits = new Outcome(0, 0, null, List.of());

    /** {@code parts} follow an edit in their order, the policy before all of them. */
    LiveConfig(ScatterguardConfig started, LivePolicy policy, List<LivePart> parts) {
        this.started = started;
        this.policy = policy;
        this.parts = List.copyOf(parts);
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

    /**
     * Applies an edit.
     *
     * @throws ConfigException if some part cannot do what it asks for; then nothing of it is applied
     */
    synchronized void apply(ScatterguardConfig changed) {
        if (changed.equals(current) && edits.error() == null) {
            return;
        }
        List<Runnable> changes =
                parts.stream().map(part -> part.prepare(changed)).toList();
        policy.configure(changed);
        changes.forEach(Runnable::run);
        List<String> pending = PendingKeys.of(started, changed);
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
}
