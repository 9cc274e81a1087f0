package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;

/** A policy under which nothing is judged. */
enum PolicyBypass implements Policy {
    BYPASS;

    @Override
    public Verdict decide(CommandView command, Route route, ClientInfo client, Instant now) {
        throw new AssertionError("judged in bypass");
    }

    @Override
    public boolean isBypass() {
        return true;
    }
}
