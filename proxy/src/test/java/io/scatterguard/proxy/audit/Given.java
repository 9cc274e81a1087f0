package io.scatterguard.proxy.audit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Rationale;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;

/** Values that the tests of this package share. */
final class Given {
    static final Instant NOW = Instant.parse("2026-12-01T10:20:30.123456789Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final Verdict LOGGED = new Verdict(Action.LOG, false, null, null, "default", 3);
    static final Verdict REFUSED = new Verdict(Action.REFUSE, false, "no-broadcast", null, "rule", 3);
    static final Verdict ALLOWED = new Verdict(Action.ALLOW, false, null, null, "default", 3);
    static final Verdict EXEMPTED = new Verdict(Action.ALLOW, false, "no-broadcast", "nightly", "exempted", 3)
            .because(new Rationale("scans cost a minute", "orders-team"));
    static final AuditSource SOURCE = new AuditSource(
            "127.0.0.1:27100",
            42,
            new ClientInfo("10.1.2.3:50412", "checkout", "nodejs|mongosh 7.9.0|2.12.0", "Linux", "alice"),
            NOW.toEpochMilli() - 1_250,
            "shop-team");
    static final Outcome ANSWERED = new Outcome(true, 0, 17, 120, 4_500, 240, 8_192);
    static final Outcome UNSEEN = new Outcome(null, null, null, 120, 0, 240, 0);

    private static final ShardRegistry REGISTRY =
            ShardRegistry.empty().withRegistered(List.of("shard-a", "shard-b", "shard-c"));

    private Given() {}

    static CommandView command(String json) {
        return command(BsonDocument.parse(json));
    }

    static CommandView command(BsonDocument body) {
        String database = body.containsKey("$db") ? body.getString("$db").getValue() : "shop";
        return CommandView.of(database, BsonView.encode(body));
    }

    /** An OP_MSG with one document sequence; heap bytes, nothing to release. */
    static CommandView commandWithSequence(String body, String identifier, List<BsonDocument> documents) {
        ByteBuf sections = Unpooled.buffer();
        sections.writeIntLE(0).writeByte(0);
        BsonView.encode(BsonDocument.parse(body)).writeTo(sections);
        ByteBuf sequence = Unpooled.buffer();
        sequence.writeBytes(identifier.getBytes(StandardCharsets.UTF_8)).writeByte(0);
        documents.forEach(document -> BsonView.encode(document).writeTo(sequence));
        sections.writeByte(1).writeIntLE(sequence.readableBytes() + 4).writeBytes(sequence);
        ByteBuf message = Unpooled.buffer();
        new MessageHeader(16 + sections.readableBytes(), 1, 0, 2013).writeTo(message);
        message.writeBytes(sections);
        return CommandView.of((OpMsg) WireMessage.decode(message));
    }

    /** A find whose filter holds a document that says it is longer than the filter. */
    static CommandView malformedFind() {
        ByteBuf body =
                Unpooled.wrappedBuffer(BsonView.encode(BsonDocument.parse("{find: 'orders', filter: {a: {b: 1}}}"))
                        .toByteArray());
        int innerOffset = body.readableBytes() - 14; // it takes 12 bytes; one ends the filter and one the body
        body.setIntLE(innerOffset, 4_000);
        return CommandView.of("shop", BsonView.of(body));
    }

    static StatementRoute statement(Shape shape, ShardSet shards, long points, long ranges) {
        Placement placement = shards.size() == 1 ? Placement.ONE_SHARD : Placement.ALL_SHARDS;
        return new StatementRoute(
                placement, shape, Certainty.EXACT, shards, points, ranges, Reason.FIRST_FIELD_UNCONSTRAINED, null);
    }

    static ShardSet allShards() {
        BitSet all = new BitSet();
        all.set(0, 3);
        return ShardSet.of(all);
    }

    /** A broadcast of {@code shop.orders}, keyed {@code {region: 1, userId: 1, day: 1}}: userId a point, day a range. */
    static Route broadcast() {
        return routed(List.of(statement(Shape.SCATTER_GATHER, allShards(), 0b010, 0b100)), 0);
    }

    static Route routed(List<StatementRoute> statements, int worst) {
        return new Route(
                Route.Kind.ROUTED,
                Namespace.parse("shop.orders"),
                statements.get(worst),
                statements,
                allShards(),
                ShardSet.none(),
                Placement.ALL_SHARDS,
                ShardedCollection.of("shop.orders", "{region: 1, userId: 1, day: 1}"),
                REGISTRY,
                new RouterRelease(6, 0));
    }

    static Route notRouted(String database) {
        StatementRoute nowhere = new StatementRoute(
                Placement.UNSHARDED, null, Certainty.EXACT, ShardSet.none(), 0, 0, Reason.NOT_ROUTED, null);
        return new Route(
                Route.Kind.NOT_ROUTED,
                new Namespace(database, "not-a-collection"),
                nowhere,
                List.of(nowhere),
                ShardSet.none(),
                ShardSet.none(),
                Placement.UNSHARDED,
                null,
                REGISTRY,
                new RouterRelease(6, 0));
    }

    static AuditSettings settings(AuditSettings.Recording recording, int capacity) {
        return new AuditSettings(
                "staging-eu", "proxy-1", recording, AuditSettings.Findings.EVERY, capacity, Duration.ofSeconds(5));
    }

    static AuditPipeline pipeline(AuditSettings settings, AuditSink... sinks) {
        return AuditPipeline.start(settings, List.of(sinks), route -> "it has no region", CLOCK);
    }

    /** A sink that keeps the lines. */
    static class MemorySink implements AuditSink {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>());
        volatile boolean closed;

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public void write(List<byte[]> batch) throws IOException {
            batch.forEach(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
