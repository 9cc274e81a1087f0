package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What passes through one session that makes the metadata worth reading again: a command that changed it and succeeded, and
 * an error by which a shard says that a router's metadata is old.
 */
final class PlacementChanges {
    private static final int STALE_SHARD_VERSION = 63; // up to 4.4
    private static final int STALE_EPOCH = 150;
    private static final int STALE_DB_VERSION = 249;
    private static final int STALE_CONFIG = 13388;

    private final ListenerCatalog catalog;
    private final SessionLoop loop;

    PlacementChanges(ListenerCatalog catalog, SessionLoop loop) {
        this.catalog = catalog;
        this.loop = loop;
    }

    /** Who has to see the reply to {@code command}, which is borrowed; null if it changes nothing. */
    @Nullable Consumer<BsonDocument> follower(CommandView command) {
        Namespace changed = PlacementChange.of(command, catalog.live().current());
        if (changed == null) {
            return null;
        }
        return reply -> {
            if (ReplyFacts.isOk(reply)) {
                catalog.reports().report(changed, loop);
            }
        };
    }

    /** A command on {@code namespace} was answered so. Routers try again by themselves: what a client sees is rare. */
    void answered(@Nullable Namespace namespace, ReplyFacts facts) {
        Integer code = facts.code();
        if (code != null && namespace != null && isStale(code)) {
            catalog.reports().report(namespace, loop);
        }
    }

    private static boolean isStale(int code) {
        return code == STALE_CONFIG || code == STALE_EPOCH || code == STALE_DB_VERSION || code == STALE_SHARD_VERSION;
    }
}
