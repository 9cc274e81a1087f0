package io.scatterguard.proxy.session;

import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the cluster behind a listener has access control, so that clients must authenticate: configured, or learnt from
 * what its servers answer. Shared by all sessions of the listener; thread-safe.
 *
 * <pre>
 *   unknown ──somebody authenticated, or a command was denied──▶ required
 *      │                                                        │      ▲
 *      └──a command without authentication was executed──▶ absent ◀────┘ (executed) … (denied) back again
 * </pre>
 */
public final class AccessControl {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    private enum State {
        UNKNOWN,
        ABSENT,
        REQUIRED
    }

    private final boolean fixed;
    private final AtomicReference<State> state;

    private AccessControl(State initial, boolean fixed) {
        this.state = new AtomicReference<>(initial);
        this.fixed = fixed;
    }

    /** It has; nothing that is seen changes that. */
    public static AccessControl required() {
        return new AccessControl(State.REQUIRED, true);
    }

    /** {@code presumed} until a server shows otherwise. */
    public static AccessControl learnt(boolean presumed) {
        return new AccessControl(presumed ? State.REQUIRED : State.UNKNOWN, false);
    }

    /** Whether nothing may be judged, refused or answered by us before the client has authenticated. */
    boolean isRequired() {
        return state.get() == State.REQUIRED;
    }

    /** Whether a reply can still change it. */
    boolean learns() {
        return !fixed;
    }

    /** Somebody authenticated at {@code listener}. */
    void authenticated(String listener) {
        if (state.compareAndSet(State.UNKNOWN, State.REQUIRED)) {
            LOG.info("clients have to authenticate: learnt from one that did: listener={}", listener);
        }
    }

    /** A server denied a command that came without authentication. */
    void denied(String listener) {
        if (!fixed && state.getAndSet(State.REQUIRED) != State.REQUIRED) {
            LOG.info("clients have to authenticate: learnt from a command that was denied: listener={}", listener);
        }
    }

    /** A server executed a command that came without authentication. */
    void executed(String listener) {
        if (!fixed && state.getAndSet(State.ABSENT) == State.REQUIRED) {
            LOG.warn(
                    "clients need not authenticate, although it looked so: the server executed a command without: listener={}",
                    listener);
        }
    }
}
