package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;

/** Decides what is done with a command. A pure function over an immutable policy; the clock is passed in. */
@FunctionalInterface
public interface Policy {
    /** The verdict on {@code command}, which is borrowed. */
    Verdict decide(CommandView command, Route route, ClientInfo client, Instant now);

    /** Whether nothing is to be judged at all, so that routing can be left out. */
    default boolean isBypass() {
        return false;
    }

    /** Whether what is to be refused is refused, and not only logged. */
    default boolean isEnforcing() {
        return false;
    }
}
