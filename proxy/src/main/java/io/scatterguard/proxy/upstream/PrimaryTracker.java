package io.scatterguard.proxy.upstream;

import io.scatterguard.proxy.upstream.Upstream.Binding;
import io.scatterguard.proxy.upstream.Upstream.LossListener;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The present primary, who waits for one, and the connections that were made to one. A primary is doubted from when one of its
 * replies says that it is none until its monitor hears from it again: nobody is sent to it meanwhile. Thread-safe, without
 * locks.
 */
final class PrimaryTracker {
    /** How a server stands to a connection that was made to it as the primary. */
    enum Standing {
        PRIMARY,
        /** It answers, and is not the primary. */
        OTHER,
        UNREACHABLE,
        /** Nothing is known of it for now. */
        UNKNOWN
    }

    private record State(@Nullable InetSocketAddress primary, boolean doubted) {
        @Nullable InetSocketAddress usable() {
            return doubted ? null : primary;
        }
    }

    private final AtomicReference<State> state = new AtomicReference<>(new State(null, false));
    private final Map<Object, CompletableFuture<List<InetSocketAddress>>> waiters = new ConcurrentHashMap<>();
    private final Set<Bound> bound = ConcurrentHashMap.newKeySet();

    /** The primary alone, once one is known. */
    CompletableFuture<List<InetSocketAddress>> servers() {
        CompletableFuture<List<InetSocketAddress>> waiter = new CompletableFuture<>();
        Object key = new Object();
        waiters.put(key, waiter);
        waiter.whenComplete((servers, failure) -> waiters.remove(key));
        serveWaiters();
        return waiter;
    }

    /** How many wait for a primary. */
    int waiting() {
        return waiters.size();
    }

    /** How many connections are bound to a server. */
    int bindings() {
        return bound.size();
    }

    @Nullable InetSocketAddress primary() {
        return present().primary();
    }

    /**
     * What is known has changed.
     *
     * @param primary null while there is none
     * @param standings of every server that somebody may be bound to
     */
    void update(@Nullable InetSocketAddress primary, Function<InetSocketAddress, Standing> standings) {
        state.updateAndGet(s -> Objects.equals(s.primary(), primary) ? s : new State(primary, false));
        for (Bound one : bound) {
            switch (standings.apply(one.server)) {
                case OTHER -> one.replacedIf(true, true);
                case UNREACHABLE -> one.replacedIf(primary != null, false);
                case UNKNOWN -> one.replacedIf(primary != null, true);
                case PRIMARY -> {}
            }
        }
        serveWaiters();
    }

    /** The monitor has just heard from {@code server} that it is the primary. */
    void confirmed(InetSocketAddress server) {
        state.updateAndGet(s -> server.equals(s.primary()) ? new State(server, false) : s);
        serveWaiters();
    }

    Binding bind(InetSocketAddress server, LossListener listener) {
        Bound made = new Bound(server, listener);
        bound.add(made);
        // After it can be found, so that a change is seen here or there.
        made.lostIf(!server.equals(present().usable()), true);
        return made;
    }

    private State present() {
        return Objects.requireNonNull(state.get());
    }

    private void doubt(InetSocketAddress server) {
        state.updateAndGet(s -> server.equals(s.primary()) ? new State(server, true) : s);
        for (Bound one : bound) {
            one.lostIf(one.server.equals(server), true);
        }
    }

    private void serveWaiters() {
        InetSocketAddress usable = present().usable();
        if (usable != null) {
            waiters.values().forEach(waiter -> waiter.complete(List.of(usable)));
        }
    }

    /** A connection that was made to a server. */
    private final class Bound implements Binding {
        private final InetSocketAddress server;
        private final LossListener listener;
        /** Whether a monitor has seen its server be none since: what that says afterwards is no news. */
        private volatile boolean replaced;

        Bound(InetSocketAddress server, LossListener listener) {
            this.server = server;
            this.listener = listener;
        }

        void lostIf(boolean lost, boolean reachable) {
            if (lost) {
                listener.onLost(reachable);
            }
        }

        void replacedIf(boolean now, boolean reachable) {
            if (now) {
                replaced = true;
                listener.onLost(reachable);
            }
        }

        /** An answer that is late must not end connections that were made since, to a primary that is it again. */
        @Override
        public void notPrimary() {
            if (!replaced) {
                doubt(server);
            }
        }

        @Override
        public void released() {
            bound.remove(this);
        }
    }
}
