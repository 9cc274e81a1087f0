package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are made to cost much: the work is bounded, and what is left out makes an upper bound, never an error. */
class BoundedWorkTest {
    private static final CatalogSnapshot CATALOG = VectorCatalog.of("""
            {shardKey: {a: 1}, chunks: [
              {min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},
              {min: {a: 0}, max: {a: 100}, shard: 'y'},
              {min: {a: 100}, max: {a: {$maxKey: 1}}, shard: 'z'}]}""");

    private static Route route(BsonDocument command) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(command));
        return new KeyRouter().route(view, CATALOG, new RouterRelease(6, 3));
    }

    private static BsonDocument deletes(BsonArray statements) {
        return new BsonDocument("delete", new BsonString("c")).append("deletes", statements);
    }

    private static BsonDocument delete(BsonDocument filter) {
        return new BsonDocument("q", filter).append("limit", new BsonInt32(0));
    }

    /** An {@code $or} of 100 branches with a list of 100 values beside it. */
    private static BsonDocument expensive() {
        BsonArray values = new BsonArray();
        BsonArray branches = new BsonArray();
        for (int i = 0; i < 100; i++) {
            values.add(new BsonInt32(i));
            branches.add(BsonDocument.parse("{a: {$gte: " + i + "}, b: 1}"));
        }
        return new BsonDocument("a", new BsonDocument("$in", values)).append("$or", branches);
    }

    @Test
    void oneExpensiveStatementIsExact() {
        Route route = route(deletes(new BsonArray(List.of(delete(expensive())))));
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
    }

    @Test
    void theStatementsOfABatchShareOneBudget() {
        BsonArray statements = new BsonArray();
        for (int i = 0; i < 20; i++) {
            statements.add(delete(expensive()));
        }
        statements.add(delete(BsonDocument.parse("{a: 5}")));
        Route route = route(deletes(statements));
        assertThat(route.statements().get(0).certainty()).isEqualTo(Certainty.EXACT);
        assertThat(route.statements().get(19).certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.statements().get(19).shards()).isEqualTo(route.table().owningShards());
        assertThat(route.statements().get(20).certainty()).isEqualTo(Certainty.EXACT);
    }

    @Test
    void aConjunctionOfManyPredicatesBesideALongListIsBounded() {
        BsonArray members = new BsonArray();
        BsonArray values = new BsonArray();
        for (int i = 0; i < 40_000; i++) {
            values.add(new BsonInt32(i));
        }
        members.add(new BsonDocument("a", new BsonDocument("$in", values)));
        for (int i = 0; i < 40_000; i++) {
            members.add(BsonDocument.parse("{a: {$ne: " + i + "}}"));
        }
        Route route = route(
                new BsonDocument("find", new BsonString("c")).append("filter", new BsonDocument("$and", members)));
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "update", "delete"})
    void aBatchLargerThanTheServerAllowsIsOneUpperBound(String name) {
        Route route = route(batch(name, 100_001));
        assertThat(route.statements()).hasSize(1);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.shards()).isEqualTo(route.table().owningShards());
        assertThat(route.shape()).isEqualTo(name.equals("insert") ? Shape.SINGLE_SHARD : Shape.SCATTER_GATHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "update", "delete"})
    void aBatchOfTheLargestSizeIsWalked(String name) {
        Route route = route(batch(name, 100_000));
        assertThat(route.statements()).hasSize(100_000);
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
        assertThat(route.registry().names(route.shards())).containsExactly("y");
    }

    private static BsonDocument batch(String name, int size) {
        BsonValue statement = BsonDocument.parse(
                switch (name) {
                    case "insert" -> "{a: 5}";
                    case "update" -> "{q: {a: 5}, u: {$set: {b: 1}}}";
                    default -> "{q: {a: 5}, limit: 1}";
                });
        BsonArray statements = new BsonArray();
        for (int i = 0; i < size; i++) {
            statements.add(statement);
        }
        String field = name.equals("insert") ? "documents" : name + "s";
        return new BsonDocument(name, new BsonString("c")).append(field, statements);
    }

    @Test
    void aCollationThatIsNestedTooDeeplyIsMalformed() {
        byte[] collation = nested(5_000);
        CommandView find = CommandView.of(VectorCatalog.DATABASE, BsonView.of(Unpooled.wrappedBuffer(find(collation))));
        CatalogSnapshot collated = VectorCatalog.of("""
                {shardKey: {a: 1}, collation: {locale: 'de'}, chunks: [
                  {min: {a: {$minKey: 1}}, max: {a: {$maxKey: 1}}, shard: 'x'}]}""");
        assertThatThrownBy(() -> new KeyRouter().route(find, collated, RouterRelease.DEFAULT))
                .isInstanceOf(MalformedBsonException.class);
    }

    private static byte[] find(byte[] collation) {
        ByteBuffer command = ByteBuffer.allocate(collation.length + 64).order(ByteOrder.LITTLE_ENDIAN);
        command.putInt(0).put((byte) 2).put("find\0".getBytes(StandardCharsets.US_ASCII));
        command.putInt(2).put((byte) 'c').put((byte) 0);
        command.put((byte) 3).put("collation\0".getBytes(StandardCharsets.US_ASCII));
        command.put(collation).put((byte) 0).putInt(0, command.position());
        return Arrays.copyOf(command.array(), command.position());
    }

    private static byte[] nested(int levels) {
        byte[] document = {5, 0, 0, 0, 0};
        for (int i = 0; i < levels; i++) {
            ByteBuffer outer = ByteBuffer.allocate(document.length + 8).order(ByteOrder.LITTLE_ENDIAN);
            outer.putInt(document.length + 8).put((byte) 3).put((byte) 'a').put((byte) 0);
            document = outer.put(document).put((byte) 0).array();
        }
        return document;
    }
}
