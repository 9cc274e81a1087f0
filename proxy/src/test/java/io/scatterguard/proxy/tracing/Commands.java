package io.scatterguard.proxy.tracing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Commands and what was found out about them. */
final class Commands {
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-12-01T10:20:30.123456789Z"), ZoneOffset.UTC);
    static final String SAMPLED = "traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    static final AuditSource SOURCE = new AuditSource("127.0.0.1:27100", 42, ClientInfo.of("10.1.2.3:50412"));
    static final Verdict ALLOWED = new Verdict(Action.ALLOW, false, null, null, "default", 3);
    static final Verdict RULED = new Verdict(Action.LOG, true, "no-broadcast", null, "rule", 3);
    static final Outcome ANSWERED = new Outcome(true, 0, 17, 120, 4_500, 240, 8_192);

    private static final ShardRegistry REGISTRY = ShardRegistry.empty().withRegistered(List.of("shard-a", "shard-b"));

    private Commands() {}

    static CommandView find(String comment) {
        return command("{find: 'orders', filter: {status: 'literal'}, comment: \"" + comment + "\", $db: 'shop'}");
    }

    static CommandView command(String json) {
        BsonDocument body = BsonDocument.parse(json);
        return CommandView.of(body.getString("$db").getValue(), BsonView.encode(body));
    }

    /** In its comment is a document that says it is longer than the comment. */
    static CommandView malformed() {
        ByteBuf body =
                Unpooled.wrappedBuffer(BsonView.encode(BsonDocument.parse("{find: 'orders', comment: {a: {b: 1}}}"))
                        .toByteArray());
        body.setIntLE(body.readableBytes() - 14, 4_000); // it takes 12 bytes; one ends the comment and one the body
        return CommandView.of("shop", BsonView.of(body));
    }

    static Route broadcast() {
        BitSet both = new BitSet();
        both.set(0, 2);
        return route(Route.Kind.ROUTED, Shape.SCATTER_GATHER, ShardSet.of(both), Placement.ALL_SHARDS);
    }

    static Route notRouted() {
        return route(Route.Kind.NOT_ROUTED, null, ShardSet.none(), Placement.UNSHARDED);
    }

    private static Route route(Route.Kind kind, @Nullable Shape shape, ShardSet shards, Placement placement) {
        StatementRoute statement =
                new StatementRoute(placement, shape, Certainty.EXACT, shards, 0, 0, Reason.NO_FILTER, null);
        return new Route(
                kind,
                Namespace.parse("shop.orders"),
                statement,
                List.of(statement),
                shards,
                ShardSet.none(),
                placement,
                null,
                REGISTRY,
                RouterRelease.DEFAULT);
    }
}
