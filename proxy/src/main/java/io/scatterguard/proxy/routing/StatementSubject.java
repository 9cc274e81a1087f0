package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RoutingTable;
import org.jspecify.annotations.Nullable;

/**
 * What one statement is about, in a command whose statements are about several collections.
 *
 * @param table the collection's routing table; null if it is not tracked, and where only the name is kept
 */
public record StatementSubject(
        Namespace namespace, @Nullable RoutingTable table) {}
