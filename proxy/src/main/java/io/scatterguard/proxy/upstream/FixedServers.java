package io.scatterguard.proxy.upstream;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Servers that serve alike, as routers do. The first one tried depends on the client's address alone, so that the connections
 * of one client go to the same server while it is up; the others follow in order.
 */
public final class FixedServers implements Upstream {
    private static final Binding UNBOUND = new Binding() {
        @Override
        public void notPrimary() {}

        @Override
        public void released() {}
    };

    private final List<CompletableFuture<List<InetSocketAddress>>> rotations;

    /** {@code servers}: unresolved, in order; at least one. */
    public FixedServers(List<InetSocketAddress> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("upstream: no server (expected: at least one)");
        }
        List<CompletableFuture<List<InetSocketAddress>>> all = new ArrayList<>();
        for (int first = 0; first < servers.size(); first++) {
            List<InetSocketAddress> rotated = new ArrayList<>(servers);
            Collections.rotate(rotated, -first);
            all.add(CompletableFuture.completedFuture(List.copyOf(rotated)));
        }
        rotations = List.copyOf(all);
    }

    @Override
    public CompletableFuture<List<InetSocketAddress>> servers(int clientHash) {
        return rotations.get(Math.floorMod(clientHash, rotations.size()));
    }

    @Override
    public Binding bind(InetSocketAddress server, LossListener listener) {
        return UNBOUND;
    }

    @Override
    public String status() {
        return rotations.size() + " servers";
    }

    @Override
    public void close() {}
}
