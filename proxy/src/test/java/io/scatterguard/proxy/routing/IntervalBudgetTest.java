package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.offline.VectorCatalog;
import java.util.function.IntFunction;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** How much of a command's budget is spent: not more than there is, and next to nothing by what is ordinary. */
class IntervalBudgetTest {
    private static final CatalogSnapshot CATALOG = VectorCatalog.of(
            "{shardKey: {a: 1}, chunks: [{min: {a: {$minKey: 1}}, max: {a: {$maxKey: 1}}, shard: 'x'}]}");

    private final IntervalBudget budget = new IntervalBudget();
    private final ShardedCollection collection = collection(budget);

    private static ShardedCollection collection(IntervalBudget budget) {
        CommandView command =
                CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse("{find: 'c'}")));
        RoutingTable table = CATALOG.table(command.namespace());
        assertThat(table).isNotNull();
        return new ShardedCollection(
                table,
                new RoutingContext(command, command.namespace(), CATALOG, new RouterRelease(8, 0), false, budget));
    }

    private static BsonArray list(int size, IntFunction<? extends BsonValue> element) {
        BsonArray list = new BsonArray();
        for (int i = 0; i < size; i++) {
            list.add(element.apply(i));
        }
        return list;
    }

    private static BsonDocument fields(int size) {
        BsonDocument fields = new BsonDocument();
        for (int i = 0; i < size; i++) {
            fields.append("p" + i, new BsonInt32(i));
        }
        return fields;
    }

    private Filter front(BsonValue... stages) {
        BsonArray pipeline = list(stages.length, i -> stages[i]);
        return new InitialQuery(collection).of(PipelineStage.list(BsonValueView.of(pipeline)));
    }

    @Test
    void aMoveTakesAStepForEachPathOfAStage() {
        front(new BsonDocument("$addFields", fields(100)), new BsonDocument("$match", fields(1)));
        assertThat(budget.stepsSpent()).isBetween(100, 110);
    }

    @Test
    void movesThatTakeMoreThanThereIsAreNotUnderstood() {
        BsonDocument match = new BsonDocument("$match", fields(2_000));
        assertThatThrownBy(() -> front(new BsonDocument("$addFields", fields(2_000)), match))
                .isInstanceOf(FilterException.class);
        assertThat(budget.isSpent()).isTrue();
        assertThatThrownBy(() -> front(BsonDocument.parse("{$sort: {a: 1}}"), match))
                .isInstanceOf(FilterException.class);
    }

    private Target target(BsonDocument filter) {
        return collection.target(BsonView.encode(filter), Collation.SIMPLE);
    }

    @Test
    void branchesThatDifferAreNotComparedPairByPair() {
        assertThat(target(new BsonDocument("$or", list(100, i -> fields(2).append("a", new BsonInt32(i)))))
                        .exact())
                .isTrue();
        assertThat(budget.stepsSpent()).isLessThan(100);
    }

    @Test
    void branchesThatAreAlikeSpendNoMoreThanThereIs() {
        BsonDocument pairs = new BsonDocument(
                "$or",
                list(
                        100,
                        i -> new BsonDocument("p", new BsonInt32(i / 10))
                                .append("q", new BsonInt32(i % 10))
                                .append("r", new BsonInt32((i / 10 + i) % 10))));
        target(pairs);
        int each = budget.stepsSpent();
        assertThat(each).isBetween(100, 20_000);
        for (int i = 0; i < IntervalBudget.MAX_STEPS / each; i++) {
            target(pairs);
        }
        assertThat(target(pairs).exact()).isFalse();
        assertThat(budget.isSpent()).isTrue();
        assertThat(target(BsonDocument.parse("{a: 5, b: 7}")).exact()).isTrue();
    }

    @Test
    void aSmallValueCostsNothingAndALargeOneByItsSize() {
        budget.keyValue(BsonValueView.of(new BsonString("y".repeat(59))));
        assertThat(budget.stepsSpent()).isZero();
        budget.keyValue(BsonValueView.of(new BsonString("y".repeat(59 + 800))));
        assertThat(budget.stepsSpent()).isEqualTo(100);
    }

    @Test
    void aValueThatIsTooLargeIsNotCopied() {
        BsonDocument filter = new BsonDocument("a", new BsonString("y".repeat(IntervalBudget.MAX_KEY_VALUE_BYTES)));
        Target target = target(filter);
        assertThat(target.exact()).isFalse();
        assertThat(target.shards()).isEqualTo(collection.owning());
        assertThat(budget.stepsSpent()).isZero();
        assertThat(collection.stored(BsonView.encode(filter), null).exact()).isFalse();
    }

    @Test
    void whatCannotBeReadOfAnExpressionIsLookedAtOnce() {
        BsonDocument expression = new BsonDocument(
                "$expr",
                new BsonDocument("$and", list(100, i -> BsonDocument.parse("{$eq: ['$p" + i + "', {$add: [1, 2]}]}"))));
        Filter filter = collection.parseRaw(BsonView.encode(expression));
        assertThat(count(filter, Filter.Opaque.class)).isEqualTo(1);
    }

    private static long count(Filter filter, Class<? extends Filter> type) {
        return (type.isInstance(filter) ? 1 : 0)
                + Filters.members(filter).stream()
                        .mapToLong(member -> count(member, type))
                        .sum();
    }
}
