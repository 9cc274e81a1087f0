package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters built to hurt. Each is routed, or declared an upper bound that holds every shard with data; either way routing
 * allocates no more than {@link #MAX_BYTES}, the bound that {@code docs/architecture.md} promises.
 */
class HostileFiltersTest {
    private static final int MIB = 1024 * 1024;
    private static final long MAX_BYTES = 64L * MIB;
    private static final int MANY = 100_000;

    private static final CatalogSnapshot CATALOG = VectorCatalog.of("""
            {shardKey: {a: 1, b: 1}, chunks: [
              {min: {a: {$minKey: 1}, b: {$minKey: 1}}, max: {a: 0, b: 0}, shard: 'x'},
              {min: {a: 0, b: 0}, max: {a: 100, b: 0}, shard: 'y'},
              {min: {a: 100, b: 0}, max: {a: {$maxKey: 1}, b: {$maxKey: 1}}, shard: 'z'}]}""");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Stream<Arguments> filters() {
        BsonDocument narrow = BsonDocument.parse("{a: {$gte: 1, $lte: 50}, b: 1}");
        return Stream.of(
                argumentSet("depth 100 of $and", nested("$and", 50, narrow), Certainty.EXACT),
                argumentSet("depth 100 of $or", nested("$or", 50, narrow), Certainty.EXACT),
                argumentSet("depth 100 of $or in $and", alternating(50), Certainty.EXACT),
                argumentSet("depth 100 of $elemMatch", elemMatch(98), Certainty.EXACT),
                argumentSet("depth 1,000", nested("$and", 500, narrow), Certainty.UPPER_BOUND),
                argumentSet("a list of 50,000 values", in("a", MANY / 2), Certainty.EXACT),
                argumentSet("a list of 100,000 values", in("a", MANY), Certainty.UPPER_BOUND),
                argumentSet("a list of 1,000,000 values", in("a", 10 * MANY), Certainty.UPPER_BOUND),
                argumentSet("2,000 by 2,000 values", product(2_000), Certainty.EXACT),
                argumentSet("40,000 by 40,000 values", product(40_000), Certainty.EXACT),
                argumentSet("300 lists of 300 in a conjunction", repeated("$and", 300, 300), Certainty.UPPER_BOUND),
                argumentSet("300 lists of 300 in an $or", repeated("$or", 300, 300), Certainty.UPPER_BOUND),
                argumentSet("a list of 1,000 pushed into 1,000 branches", pushed(1_000), Certainty.UPPER_BOUND),
                argumentSet("100,000 $ne", or("$and", MANY, i -> "{a: {$ne: " + i + "}}"), Certainty.UPPER_BOUND),
                argumentSet(
                        "20,000 branches on paths of their own",
                        or("$or", 20_000, i -> "{a: " + i + ", p" + i + ": 1}"),
                        Certainty.EXACT),
                argumentSet("16 MiB of nested $or", or("$or", 90_000, HostileFiltersTest::wide), Certainty.UPPER_BOUND),
                argumentSet("a regex of 32,764 bytes", regex(32_763), Certainty.EXACT),
                argumentSet("a regex of 15 MiB", regex(15 * MIB), Certainty.UPPER_BOUND),
                argumentSet("a string of 15 MiB", string(15 * MIB), Certainty.UPPER_BOUND),
                argumentSet("150 strings of 100 KiB", strings(150, 100 * 1024), Certainty.UPPER_BOUND),
                argumentSet("100 strings of 60 KiB", strings(100, 60 * 1024), Certainty.EXACT),
                argumentSet("400 regexes of 32,000 bytes", regexes(400, 32_000), Certainty.UPPER_BOUND),
                argumentSet(
                        "an $expr of 10,000 branches that cannot be read",
                        expr(10_000, i -> "{$eq: ['$p" + i + "', {$add: [1, 2]}]}"),
                        Certainty.EXACT),
                argumentSet(
                        "an $expr of 10,000 disjunctions that cannot be read",
                        expr(10_000, HostileFiltersTest::unreadableBranches),
                        Certainty.UPPER_BOUND),
                argumentSet(
                        "an $expr of 100,000 nodes",
                        expr(20_000, i -> "{$eq: ['$p" + i + "', {$add: [1, 2]}]}"),
                        Certainty.UPPER_BOUND),
                argumentSet("an $expr with a string of 15 MiB", exprString(15 * MIB), Certainty.UPPER_BOUND));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void isRoutedOrAnUpperBoundWithinBoundedMemory(BsonDocument filter, Certainty expected) {
        assertBounded(find(filter), new RouterRelease(6, 3), expected);
    }

    /** Newer routers simplify filters, so that more is looked at. What of it is exact is not the point here. */
    @ParameterizedTest
    @MethodSource("filters")
    void isBoundedWhereFiltersAreSimplified(BsonDocument filter, Certainty ofOlderRouters) {
        assertBounded(find(filter), new RouterRelease(8, 0), null);
    }

    static Stream<Arguments> pipelines() {
        BsonDocument match = new BsonDocument("$match", fields(20_000));
        BsonDocument stage = BsonDocument.parse("{$addFields: {z: 1}}");
        BsonArray stages = list(20_000, i -> stage);
        stages.add(match);
        return Stream.of(
                argumentSet("20,000 fields behind 20,000 stages", stages, Certainty.UPPER_BOUND),
                argumentSet(
                        "20,000 fields behind a stage of 20,000",
                        new BsonArray(List.of(new BsonDocument("$addFields", fields(20_000)), match)),
                        Certainty.UPPER_BOUND),
                argumentSet(
                        "500 fields behind a stage of 500",
                        new BsonArray(List.of(
                                new BsonDocument("$addFields", fields(500)),
                                new BsonDocument("$match", fields(500).append("a", new BsonInt32(5))))),
                        Certainty.EXACT));
    }

    @ParameterizedTest
    @MethodSource("pipelines")
    void pipelinesAreBounded(BsonArray pipeline, Certainty expected) {
        BsonDocument aggregate = new BsonDocument("aggregate", new BsonString("c")).append("pipeline", pipeline);
        assertBounded(aggregate, new RouterRelease(6, 3), expected);
        assertBounded(aggregate, new RouterRelease(8, 0), expected);
    }

    @Test
    void namespacesOfABulkWriteAreBounded() {
        BsonArray ops = new BsonArray(List.of(BsonDocument.parse("{delete: 0, filter: {a: 5, b: 1}}")));
        BsonDocument ns = new BsonDocument("ns", new BsonString(VectorCatalog.DATABASE + ".c"));
        BsonDocument bulkWrite = new BsonDocument("bulkWrite", new BsonInt32(1)).append("ops", ops);
        Route most = assertBounded(bulkWrite.append("nsInfo", list(MANY, i -> ns)), new RouterRelease(8, 0), null);
        assertThat(most.certainty()).isEqualTo(Certainty.EXACT);
        Route more = assertBounded(bulkWrite.append("nsInfo", list(MANY + 1, i -> ns)), new RouterRelease(8, 0), null);
        assertThat(more.certainty()).isEqualTo(Certainty.UPPER_BOUND);
    }

    private static BsonDocument find(BsonDocument filter) {
        return new BsonDocument("find", new BsonString("c")).append("filter", filter);
    }

    private static Route assertBounded(BsonDocument document, RouterRelease release, @Nullable Certainty expected) {
        byte[] find = encoded(document);
        CommandView command = CommandView.of(VectorCatalog.DATABASE, BsonView.of(Unpooled.wrappedBuffer(find)));
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        Route route = new KeyRouter().route(command, CATALOG, release);
        long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        System.out.printf(
                "hostile command of %,d bytes on %s: %s on %s, %,d bytes allocated%n",
                find.length, release, route.certainty().text(), route.registry().names(route.shards()), allocated);
        assertThat(allocated).as("bytes allocated by routing").isLessThan(MAX_BYTES);
        if (expected != null) {
            assertThat(route.certainty()).isEqualTo(expected);
        }
        if (expected == Certainty.UPPER_BOUND) {
            assertThat(route.shards()).isEqualTo(route.table().owningShards());
        }
        return route;
    }

    private static byte[] encoded(BsonDocument document) {
        try (BasicOutputBuffer buffer = new BasicOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
            return buffer.toByteArray();
        }
    }

    private static BsonDocument nested(String operator, int depth, BsonDocument innermost) {
        BsonDocument filter = innermost;
        for (int i = 0; i < depth; i++) {
            filter = new BsonDocument(operator, new BsonArray(List.of(innermost, filter)));
        }
        return filter;
    }

    private static BsonDocument alternating(int depth) {
        BsonDocument filter = BsonDocument.parse("{a: 5, b: 5}");
        for (int i = 0; i < depth; i++) {
            BsonDocument other = BsonDocument.parse("{a: {$gte: " + -i + "}, b: " + i + "}");
            filter = new BsonDocument(i % 2 == 0 ? "$or" : "$and", new BsonArray(List.of(other, filter)));
        }
        return filter;
    }

    private static BsonDocument elemMatch(int depth) {
        BsonDocument filter = BsonDocument.parse("{a: 5}");
        for (int i = 0; i < depth; i++) {
            filter = new BsonDocument("a", new BsonDocument("$elemMatch", filter));
        }
        return filter;
    }

    private static BsonDocument in(String field, int size) {
        return new BsonDocument(field, new BsonDocument("$in", list(size, BsonInt32::new)));
    }

    private static BsonDocument product(int size) {
        BsonDocument both = in("a", size);
        both.putAll(in("b", size));
        return both;
    }

    private static BsonDocument repeated(String operator, int lists, int size) {
        return new BsonDocument(operator, list(lists, i -> in("a", size)));
    }

    private static BsonDocument pushed(int size) {
        return in("a", size).append("$or", list(size, i -> BsonDocument.parse("{a: {$gte: " + i + "}, b: 1}")));
    }

    private static BsonDocument or(String operator, int size, IntFunction<String> branch) {
        return new BsonDocument(operator, list(size, i -> BsonDocument.parse(branch.apply(i))));
    }

    /** A branch of some 180 bytes with a branch within. */
    private static String wide(int i) {
        return "{$or: [{a: " + i + ", b: 1}, {$or: [{a: " + -i + "}, {a: 7, s: '" + "x".repeat(64) + "'}]}]}";
    }

    private static BsonDocument expr(int size, IntFunction<String> branch) {
        BsonDocument all = new BsonDocument("$and", list(size, i -> BsonDocument.parse(branch.apply(i))));
        return new BsonDocument("$expr", all);
    }

    /** A disjunction that may be read, of branches that hold something that cannot. */
    private static String unreadableBranches(int i) {
        return "{$or: [{$and: [{$eq: ['$p" + i + "', 1]}, {$cond: 1}]}]}";
    }

    private static BsonDocument exprString(int length) {
        BsonArray sides = new BsonArray(List.of(new BsonString("$a"), new BsonString("y".repeat(length))));
        return new BsonDocument("$expr", new BsonDocument("$eq", sides));
    }

    /** One value for each of many fields. */
    private static BsonDocument fields(int size) {
        BsonDocument fields = new BsonDocument();
        for (int i = 0; i < size; i++) {
            fields.append("p" + i, new BsonInt32(i));
        }
        return fields;
    }

    private static BsonDocument regexes(int count, int length) {
        return new BsonDocument(
                "a",
                new BsonDocument("$in", list(count, i -> new BsonRegularExpression("^" + "y".repeat(length) + i))));
    }

    private static BsonDocument regex(int length) {
        return new BsonDocument("a", new BsonDocument("$regex", new BsonString("^" + "y".repeat(length))));
    }

    private static BsonDocument string(int length) {
        return new BsonDocument("a", new BsonString("y".repeat(length)));
    }

    private static BsonDocument strings(int count, int length) {
        return new BsonDocument("a", new BsonDocument("$in", list(count, i -> new BsonString("y".repeat(length) + i))));
    }

    private static BsonArray list(int size, IntFunction<? extends BsonValue> element) {
        List<BsonValue> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(element.apply(i));
        }
        return new BsonArray(list);
    }
}
