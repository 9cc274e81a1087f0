package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what is done with a command. A pure function over an immutable policy; the clock is passed in. */
@FunctionalInterface
public interface Policy {
    /** The verdict on {@code command}, which is borrowed. */
    Verdict decide(CommandView command, Route route, ClientInfo client, Instant now);

    /**
     * As {@link #decide(CommandView, Route, ClientInfo, Instant)}, where what a sharded cluster would refuse was looked for.
     *
     * @param wouldFail what it would refuse; null if nothing
     */
    default Verdict decide(
            CommandView command, Route route, @Nullable WouldFail wouldFail, ClientInfo client, Instant now) {
        return decide(command, route, client, now);
    }

    /**
     * The verdict that the command would get if it came now: what is only looked at, as the command inside an {@code explain}
     * is, takes nothing from the rates of those that are executed.
     */
    default Verdict foresee(
            CommandView command, Route route, @Nullable WouldFail wouldFail, ClientInfo client, Instant now) {
        return decide(command, route, wouldFail, client, now);
    }

    /** How a command with {@code verdict} is refused. */
    default RefusalTerms refusalTerms(Verdict verdict) {
        return RefusalTerms.STANDARD;
    }

    /**
     * Whether it could refuse {@code command} of {@code client} if it were known where that goes; the command is borrowed.
     * What keeps connections and the cluster going it never refuses.
     */
    default boolean mayRefuse(CommandView command, ClientInfo client) {
        return true;
    }

    /** Stands on every verdict; counted up with every change. */
    default long version() {
        return 0;
    }

    /** Whose a command of {@code client} is: exactly one owner, {@link Owners#UNOWNED} included. */
    default String owner(Route route, ClientInfo client) {
        return Owners.UNOWNED;
    }

    /** Whether nothing is to be judged at all, so that routing can be left out. */
    default boolean isBypass() {
        return false;
    }

    /** Whether what is to be refused is refused, and not only logged. */
    default boolean isEnforcing() {
        return false;
    }
}
