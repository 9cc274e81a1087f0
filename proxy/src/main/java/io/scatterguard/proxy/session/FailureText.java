package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;

/** What a command that a sharded cluster would refuse is told: field names only, never values. */
final class FailureText {
    private FailureText() {}

    /** The sentence, with the error, the cause, the fix and how to have it exempted; borrows {@code command}. */
    static String of(CommandView command, Route route, WouldFail failure) {
        RoutingTable table = route.table();
        return "Scatterguard refused " + command.name() + " on " + route.namespace()
                + (table == null ? "" : " with shard key " + table.shardKey())
                + ": a sharded cluster of release " + route.release() + " answers with "
                + failure.error().codeName() + " (" + failure.error().code() + "), because "
                + failure.cause().problem() + ". To fix it, " + failure.cause().fix()
                + "; or have it exempted and give it the comment \"scatterguard:allow=<exemption id>\".";
    }
}
