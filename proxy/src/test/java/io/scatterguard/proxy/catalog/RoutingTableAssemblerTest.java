package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTableAssemblerTest {
    private static final Collection ORDERS = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private static final Collection COMPOUND = Collection.of(Layout.UUID, "shop.orders", "{a: 1, b: 1}");

    /** A bound's value that must never be quoted. */
    private static final String SECRET = "424242";

    @Test
    void acceptsAnExactTilingWhateverTheOrder() {
        List<BsonDocument> chunks = ORDERS.chunksSplitAt("1", "2", "3");
        Collections.reverse(chunks);

        assertThat(build(ORDERS, chunks).chunkCount()).isEqualTo(4);
    }

    @ParameterizedTest(name = "without chunk {0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "0; chunk 1 (version 2|0) of 3: min is not the beginning of the key space (expected: MinKey in every field)",
                "1; chunk 1 (version 1|0) of 3: a gap before chunk 2 (version 3|0) (expected: max equal to the min of the next)",
                "3; chunk 3 (version 3|0) of 3: max is not the end of the key space (expected: MaxKey in every field)"
            })
    void refusesAMissingChunk(int missing, String message) {
        List<BsonDocument> chunks = ORDERS.chunksSplitAt("1", SECRET, "'z'");
        chunks.remove(missing);

        assertFails(ORDERS, chunks, "shop.orders: " + message);
    }

    @Test
    void refusesAnOverlap() {
        List<BsonDocument> chunks = List.of(
                ORDERS.chunk("a", 1, 0, "{a: {$minKey: 1}}", "{a: " + SECRET + "}"),
                ORDERS.chunk("b", 1, 1, "{a: 0}", "{a: {$maxKey: 1}}"));

        assertFails(
                ORDERS,
                chunks,
                "shop.orders: chunk 1 (version 1|0) of 2: an overlap with chunk 2 (version 1|1)"
                        + " (expected: max equal to the min of the next)");
    }

    @Test
    void refusesTheSameChunkTwice() {
        List<BsonDocument> chunks = new ArrayList<>(ORDERS.chunksSplitAt("5"));
        chunks.add(chunks.get(1));

        assertFails(
                ORDERS,
                chunks,
                "shop.orders: chunk 2 (version 2|0) of 3: an overlap with chunk 3 (version 2|0)"
                        + " (expected: max equal to the min of the next)");
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, "7"})
    void refusesAnEmptyOrInvertedChunk(String max) {
        List<BsonDocument> chunks = new ArrayList<>(ORDERS.chunksSplitAt(SECRET));
        chunks.add(ORDERS.chunk("a", 9, 9, "{a: " + SECRET + "}", "{a: " + max + "}"));

        assertThatThrownBy(() -> build(ORDERS, chunks))
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith("shop.orders: chunk ")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void refusesAnInvertedOnlyChunk() {
        List<BsonDocument> chunks = List.of(ORDERS.chunk("a", 1, 0, "{a: {$minKey: 1}}", "{a: {$minKey: 1}}"));

        assertFails(
                ORDERS,
                chunks,
                "shop.orders: chunk 1 (version 1|0) of 1: max is not above its own min (expected: min below max)");
    }

    @Test
    void refusesACompoundKeyWhoseEndsAreNotAllMinKeyAndMaxKey() {
        String min = "{a: {$minKey: 1}, b: {$minKey: 1}}";
        String max = "{a: {$maxKey: 1}, b: {$maxKey: 1}}";

        assertThat(build(COMPOUND, List.of(COMPOUND.chunk("a", 1, 0, min, max))).chunkCount())
                .isEqualTo(1);
        assertThatThrownBy(() -> build(COMPOUND, List.of(COMPOUND.chunk("a", 1, 0, "{a: {$minKey: 1}, b: 0}", max))))
                .hasMessageContaining("min is not the beginning of the key space");
        assertThatThrownBy(() -> build(COMPOUND, List.of(COMPOUND.chunk("a", 1, 0, min, "{a: {$maxKey: 1}, b: 0}"))))
                .hasMessageContaining("max is not the end of the key space");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a: 424242}", "{b: 424242, a: 1}", "{a: 424242, c: 1}", "{a: 424242, b: 1, c: 1}", "{}"})
    void refusesABoundWithoutExactlyTheFieldsOfTheKeyInOrder(String bound) {
        String max = "{a: {$maxKey: 1}, b: {$maxKey: 1}}";

        assertFails(
                COMPOUND,
                List.of(COMPOUND.chunk("a", 3, 7, bound, max)),
                "shop.orders: chunk 1 as read, version 3|7: min does not have the fields of the shard key"
                        + " (expected: {a: 1, b: 1}, in this order)");
    }

    @Test
    void refusesNoChunksAtAll() {
        assertFails(ORDERS, List.of(), "shop.orders: 0 chunks (expected: at least 1 for a tracked collection)");
    }

    @Test
    void refusesASecondChunkOfAnUnsplittableCollection() {
        BsonDocument unsplittable = ORDERS.documentWith("{unsplittable: true}");
        CollectionInfo info = CollectionDocument.info(unsplittable, Incarnation.of(unsplittable));

        assertThatThrownBy(() -> assemble(info, ORDERS.chunksSplitAt("1")).build())
                .hasMessage("shop.orders: 2 chunks (expected: exactly 1, as the collection is unsplittable)");
        assertThat(assemble(info, ORDERS.chunksSplitAt()).build().chunkCount()).isEqualTo(1);
    }

    @Test
    void refusesFieldsOfAWrongTypeAndStillCountsTheVersions() {
        List<BsonDocument> chunks = ORDERS.chunksSplitAt("1", "2");
        chunks.get(0).append("shard", new BsonInt64(1));
        chunks.get(1).append("lastmod", new BsonString("2|0"));
        BsonDocument document = ORDERS.document();
        RoutingTableAssembler assembler = assemble(CollectionDocument.info(document, Incarnation.of(document)), chunks);

        assertThat(assembler.version()).isEqualTo(new ChunkVersion(3, 0));
        assertThatThrownBy(assembler::build)
                .hasMessage("shop.orders: chunk 1 as read, version 1|0: field shard: INT64 (expected: a string)");
    }

    @Test
    void refusesABoundThatIsNestedTooDeep() {
        String deep = "{a: ".repeat(300) + "1" + "}".repeat(300);

        assertThatThrownBy(() -> build(ORDERS, ORDERS.chunksSplitAt(deep)))
                .isInstanceOf(CatalogException.class)
                .hasMessage("shop.orders: chunk 1 as read, version 1|0: max: nesting: more than 200 levels");
    }

    @Test
    void takesTheUnsignedHighestVersion() {
        List<BsonDocument> chunks = List.of(
                ORDERS.chunk("a", -1, 1, "{a: {$minKey: 1}}", "{a: 0}"),
                ORDERS.chunk("a", 5, 9, "{a: 0}", "{a: {$maxKey: 1}}"));

        assertThat(build(ORDERS, chunks).version()).hasToString("4294967295|1");
    }

    private static void assertFails(Collection collection, List<BsonDocument> chunks, String message) {
        assertThatThrownBy(() -> build(collection, chunks))
                .isInstanceOf(CatalogException.class)
                .hasMessage(message)
                .hasMessageNotContaining(SECRET);
    }

    private static RoutingTable build(Collection collection, List<BsonDocument> chunks) {
        return CatalogBuilder.table(collection.document(), chunks, new ShardOrdinals(ShardRegistry.empty()));
    }

    private static RoutingTableAssembler assemble(CollectionInfo info, List<BsonDocument> chunks) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(info, new ShardOrdinals(ShardRegistry.empty()));
        chunks.forEach(assembler::add);
        return assembler;
    }
}
