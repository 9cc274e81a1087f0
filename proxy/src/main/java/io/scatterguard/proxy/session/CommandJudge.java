package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges one command: route, then verdict. Never throws: a fault of our own gives a verdict with the reason {@code
 * internalError}, counted and logged once (see {@link InternalErrorBreaker}).
 */
public final class CommandJudge {
    private static final Logger LOG = LoggerFactory.getLogger(CommandJudge.class);

    private final Router router;
    private final Supplier<CatalogSnapshot> catalog;
    private volatile Ruling ruling;
    private volatile Runnable bypassMayHaveChanged = () -> {};
    private final InternalErrorBreaker breaker;
    private final Clock clock;
    private final AtomicBoolean newerRelease = new AtomicBoolean();
    private volatile @Nullable RouterRelease newest;

    /** What is decided by, replaced as a whole. */
    private record Ruling(Policy policy, Action onInternalError) {}

    /**
     * @param catalog the present snapshot, asked for every command
     * @param onInternalError {@code ALLOW} or {@code REFUSE}
     */
    public CommandJudge(
            Router router,
            Supplier<CatalogSnapshot> catalog,
            Policy policy,
            Action onInternalError,
            InternalErrorBreaker breaker,
            Clock clock) {
        this.router = router;
        this.catalog = catalog;
        this.ruling = new Ruling(policy, onInternalError);
        this.breaker = breaker;
        this.clock = clock;
    }

    /** Warns once if the router behind {@code listener} is of a release whose rules are not known. */
    void learnt(RouterRelease release, String listener) {
        newest = release;
        if (release.isBeyondKnown() && newerRelease.compareAndSet(false, true)) {
            LOG.warn(
                    "router release: {} or later (expected: at most {}); the rules of {} are applied to it: listener={}",
                    release,
                    RouterRelease.NEWEST_KNOWN,
                    RouterRelease.NEWEST_KNOWN,
                    listener);
        }
    }

    /** From now on judges by {@code policy}. Thread-safe; a command that is being judged is judged by either. */
    public void use(Policy policy, Action onInternalError) {
        ruling = new Ruling(policy, onInternalError);
        bypassMayHaveChanged.run();
    }

    /** Judges also where it had stopped because of too many faults: whoever changes the policy wants it applied. */
    public void judgeAgain() {
        breaker.reset();
        bypassMayHaveChanged.run();
    }

    /** {@code told} is run, on any thread, whenever {@link #isBypassed} may say something else than before. */
    public void whenBypassMayHaveChanged(Runnable told) {
        bypassMayHaveChanged = told;
    }

    private void noted(Throwable error, String what, String done) {
        if (breaker.record(error, what, done)) {
            bypassMayHaveChanged.run();
        }
    }

    /** Whether nothing is judged: by configuration, or because judging has failed too often. */
    public boolean isBypassed() {
        return ruling.policy().isBypass() || breaker.isTripped();
    }

    /** Whether broadcasts are refused, where a rule or a default says so. */
    boolean isEnforcing() {
        return ruling.policy().isEnforcing() && !breaker.isTripped();
    }

    /** How a command with {@code verdict} is refused. */
    RefusalTerms refusalTerms(Verdict verdict) {
        return ruling.policy().refusalTerms(verdict);
    }

    /** The release that the last server to say {@code hello} showed; null before the first. */
    public @Nullable RouterRelease release() {
        return newest;
    }

    /**
     * Notes a fault of our own outside the judging itself.
     *
     * @param what the command or opcode
     * @param done what is done with it all the same, a participle
     */
    void failed(Throwable error, String what, String done) {
        noted(error, what, done);
    }

    /** The judgement on {@code command}, which is borrowed. */
    Judgement judge(CommandView command, ClientInfo client, RouterRelease release, SessionCounters counters) {
        try {
            Judgement judgement = tried(command, catalog.get(), ruling.policy(), client, release);
            WouldFail wouldFail = judgement.wouldFail();
            if (wouldFail != null && wouldFail.certain()) {
                counters.wouldFail();
            }
            return judgement;
        } catch (MalformedBsonException e) {
            // The client's fault, not ours: the server will answer it, and it must not trip the breaker.
            return unjudged(command, release, Action.ALLOW, Reasons.MALFORMED);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            counters.internalError();
            Action action = ruling.policy().mayRefuse(command, client) ? ruling.onInternalError() : Action.ALLOW;
            String done = action == Action.REFUSE ? "refused" : "forwarded";
            noted(e, command.commandName().text(), done);
            return unjudged(command, release, action, Reasons.INTERNAL_ERROR);
        }
    }

    /**
     * What {@code policy} would say of {@code command}, which is borrowed, by {@code snapshot}. Nothing is counted, and a fault of
     * ours is the caller's.
     *
     * @throws MalformedBsonException if the command is malformed
     */
    public Judgement tried(
            CommandView command, CatalogSnapshot snapshot, Policy policy, ClientInfo client, RouterRelease release) {
        Route route = router.route(command, snapshot, release);
        WouldFail wouldFail = router.wouldFail(command, route, snapshot);
        Verdict verdict = policy.decide(command, route, wouldFail, client, clock.instant());
        if (command.commandName() == CommandName.EXPLAIN) {
            verdict = explaining(verdict, command, route, snapshot, policy, client);
        }
        return new Judgement(route, verdict, wouldFail);
    }

    /** {@code verdict} on an {@code explain}, with that on the command inside; as it is where there is none. */
    private Verdict explaining(
            Verdict verdict,
            CommandView explain,
            Route route,
            CatalogSnapshot snapshot,
            Policy policy,
            ClientInfo client) {
        try {
            CommandView inner = explain.explained().orElse(null);
            if (inner == null || inner.commandName() == CommandName.EXPLAIN) {
                return verdict;
            }
            WouldFail wouldFail = router.wouldFail(inner, route, snapshot);
            return verdict.explaining(policy.foresee(inner, route, wouldFail, client, clock.instant()));
        } catch (MalformedBsonException e) {
            // What is inside must not change what is done with the explain itself.
            return verdict;
        }
    }

    /** Whose a finding is; null where nothing was found. */
    @Nullable String owner(Judgement judgement, ClientInfo client) {
        Verdict verdict = judgement.verdict();
        return verdict.isFinding() ? ruling.policy().owner(judgement.route().about(verdict.statement()), client) : null;
    }

    /** What stands in the place of a judgement on a command of a client that must authenticate first. */
    Judgement unauthenticated(CommandView command, RouterRelease release) {
        return unjudged(command, release, Action.ALLOW, Reasons.UNAUTHENTICATED);
    }

    /** Likewise on a command that asks for a transaction which a refusal has ended. */
    Judgement afterRefusal(CommandView command, RouterRelease release) {
        return unjudged(command, release, Action.REFUSE, Reasons.TRANSACTION_REFUSED);
    }

    private Judgement unjudged(CommandView command, RouterRelease release, Action action, String reason) {
        Route unknown = Route.notRouted(
                command.namespace(), Certainty.UPPER_BOUND, Reason.NOT_UNDERSTOOD, ShardRegistry.empty(), release);
        long version = ruling.policy().version();
        return new Judgement(unknown, new Verdict(action, false, null, null, reason, version), null);
    }
}
