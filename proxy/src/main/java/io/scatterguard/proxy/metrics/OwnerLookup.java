package io.scatterguard.proxy.metrics;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.proxy.routing.Route;

/** Says to which team a command belongs. Asked for every command, on event loops: never blocks, allocates nothing. */
@FunctionalInterface
public interface OwnerLookup {
    /** The owner where nobody is. */
    String UNOWNED = "unowned";

    /** Where no owners are configured. */
    OwnerLookup NONE = (route, client) -> UNOWNED;

    /** The team's name, {@link #UNOWNED} if there is none. */
    String ownerOf(Route route, ClientInfo client);
}
