package io.scatterguard.testing.samples;

import io.scatterguard.testing.AllowBroadcast;
import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardProxy;
import org.junit.jupiter.api.Test;

/** Broadcasts that somebody answers for, and some that nobody does any more. */
@Scatterguard(rules = "orders-rules.yaml", database = "shop")
public class AllowedSample {
    @Test
    @AllowBroadcast(reason = "a nightly report", owner = "data-team", until = "2999-12-31")
    void allowed(ScatterguardProxy proxy) {
        broadcast(proxy);
    }

    @Test
    @AllowBroadcast(reason = "until last spring", until = "2026-04-30")
    void noLonger(ScatterguardProxy proxy) {
        broadcast(proxy);
    }

    @Test
    @AllowBroadcast(reason = "another one", ids = "0000000000000000")
    void another(ScatterguardProxy proxy) {
        broadcast(proxy);
    }

    @Test
    @AllowBroadcast(reason = "a typing error", until = "31.12.2026")
    void unreadable(ScatterguardProxy proxy) {
        broadcast(proxy);
    }

    @Test
    void looksForIt(ScatterguardProxy proxy) {
        broadcast(proxy);
        if (proxy.findings().all().size() != 1) {
            throw new AssertionError(proxy.findings());
        }
        proxy.reset();
        if (!proxy.findings().all().isEmpty()) {
            throw new AssertionError(proxy.findings());
        }
    }

    private static void broadcast(ScatterguardProxy proxy) {
        try (Orders orders = new Orders(proxy.uri())) {
            orders.byStatus("open");
        }
    }
}
