package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTableUpdateTest {
    private static final Collection ORDERS = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");

    /** A bound's value that must never be quoted. */
    private static final String SECRET = "424242";

    private static final String MIN = "{a: {$minKey: 1}}";
    private static final String MAX = "{a: {$maxKey: 1}}";

    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());

    /** MinKey, 10, 20, SECRET, MaxKey on a, b, a, b at 1|0 to 4|0. */
    private final RoutingTable base =
            CatalogBuilder.table(ORDERS.document(), ORDERS.chunksSplitAt("10", "20", SECRET), ordinals);

    private static CollectionInfo info(BsonDocument document) {
        return CollectionDocument.info(document, Incarnation.of(document));
    }

    private RoutingTableUpdate update(BsonDocument... changed) {
        RoutingTableUpdate update = new RoutingTableUpdate(base, base.collection(), ordinals);
        List.of(changed).forEach(update::add);
        return update;
    }

    private static BsonDocument chunk(String shard, int major, int minor, String min, String max) {
        return ORDERS.chunk(shard, major, minor, min, max);
    }

    private String owners(RoutingTable table) {
        StringBuilder owners = new StringBuilder();
        List<String> ids = ordinals.registry(List.of()).ids();
        IntStream.range(0, table.chunkCount()).forEach(i -> owners.append(ids.get(table.owner(i))));
        return owners.toString();
    }

    @Test
    void isTheBaseItselfIfNothingChanged() {
        assertThat(update().build()).isSameAs(base);
        BsonDocument newest = chunk("b", 4, 0, "{a: " + SECRET + "}", MAX);
        assertThat(update(newest).build()).isSameAs(base);
        assertThat(update(newest, newest).build()).isSameAs(base);
    }

    @Test
    void sharesAllPagesIfOnlyAVersionChanged() {
        RoutingTable table =
                update(chunk("b", 4, 1, "{a: " + SECRET + "}", MAX)).build();

        assertThat(table.version()).hasToString("4|1");
        assertThat(table.pages()).isSameAs(base.pages());
    }

    @Test
    void describesTheCollectionAsItIsNow() {
        CollectionInfo now = info(ORDERS.documentWith("{unique: true}"));
        RoutingTable table = new RoutingTableUpdate(base, now, ordinals).build();

        assertThat(table.collection()).isEqualTo(now);
        assertThat(table.pages()).isSameAs(base.pages());
    }

    @Test
    void aMoveGoesToTheShardThatWasNeverSeen() {
        RoutingTable table = update(
                        chunk("b", 5, 1, "{a: " + SECRET + "}", MAX), chunk("new", 5, 0, "{a: 10}", "{a: 20}"))
                .build();

        assertThat(owners(table)).isEqualTo("a" + "new" + "ab");
        assertThat(table.version()).hasToString("5|1");
        assertThat(owners(base)).isEqualTo("abab");
    }

    @Test
    void ofChunksThatOverlapTheNewestCounts() {
        RoutingTable table = update(
                        chunk("c", 5, 0, "{a: 10}", "{a: 20}"),
                        chunk("a", 6, 2, "{a: 15}", "{a: 20}"),
                        chunk("b", 6, 1, "{a: 10}", "{a: 15}"))
                .build();

        assertThat(owners(table)).isEqualTo("abaab");
    }

    /** What a newer chunk replaces has itself replaced others: these do not come back. */
    @Test
    void whatWasReplacedTwiceDoesNotComeBack() {
        RoutingTableUpdate update =
                update(chunk("c", 5, 0, "{a: 10}", "{a: " + SECRET + "}"), chunk("a", 6, 0, "{a: 10}", "{a: 20}"));

        assertThatThrownBy(update::build)
                .isInstanceOf(CatalogException.class)
                .hasMessage("shop.orders: changed chunk of version 6|0: a gap after it"
                        + " (expected: all chunks that replace one, or all that one replaces)")
                .hasMessageNotContaining(SECRET);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{a: 12}; {a: 20}; 5; a gap before it",
                "{a: 10}; {a: 18}; 5; a gap after it",
                "{a: 12}; {a: 18}; 5; a gap before it",
                "{a: 10}; {a: 30}; 5; a gap after it",
                "{a: 5}; {a: 20}; 5; a gap before it",
                "{a: 10}; {a: 10}; 5; max is not above its own min (expected: min below max)",
                "{a: 20}; {a: 10}; 5; max is not above its own min (expected: min below max)",
                "{a: 10}; {a: 20}; 3; older than the routing table of version 4|0 (expected: at least as new)",
                "{a: 10}; {a: 20}; 4; not in the routing table of that version (expected: a newer version)",
                "{a: {$minKey: 1}}; {a: 9}; 5; a gap after it",
                "{a: 424243}; {a: {$maxKey: 1}}; 5; a gap before it"
            })
    void refusesWhatDoesNotFit(String min, String max, int major, String message) {
        assertThatThrownBy(() -> update(chunk("a", major, 0, min, max)).build())
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith("shop.orders: changed chunk of version " + major + "|0: " + message)
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void refusesTwoChunksOfOneVersionThatOverlap() {
        BsonDocument chunk = chunk("a", 5, 0, "{a: 10}", "{a: 20}");
        assertThat(owners(update(chunk, chunk).build())).isEqualTo("aaab");
        assertThatThrownBy(() ->
                        update(chunk, chunk("b", 5, 0, "{a: 10}", "{a: 20}")).build())
                .hasMessage("shop.orders: changed chunk of version 5|0: overlaps another one of the same version"
                        + " (expected: each version once)");
    }

    @Test
    void refusesWhatItCannotUnderstandAndStillCountsTheVersions() {
        BsonDocument wrong = chunk("a", 5, 0, "{a: 10}", "{a: 20}").append("shard", new BsonInt64(1));
        RoutingTableUpdate update = update(wrong, chunk("b", 9, 0, "{a: 20}", "{a: " + SECRET + "}"));

        assertThat(update.version()).hasToString("9|0");
        assertThat(update().version()).hasToString("4|0");
        assertThatThrownBy(update::build)
                .hasMessage("shop.orders: chunk 1 as read, version 5|0: field shard: INT64 (expected: a string)");
    }

    @Test
    void refusesAnotherKey() {
        CollectionInfo refined =
                info(Collection.of(Layout.UUID, "shop.orders", "{a: 1, b: 1}").document());

        assertThatThrownBy(() -> new RoutingTableUpdate(base, refined, ordinals))
                .isInstanceOf(CatalogException.class)
                .hasMessage(
                        "shop.orders: shard key: {a: 1, b: 1} (expected: {a: 1}, that of the chunks that are known)");
    }

    @Test
    void refusesASecondChunkOfAnUnsplittableCollection() {
        BsonDocument unsplittable = ORDERS.documentWith("{unsplittable: true}");
        RoutingTable one = CatalogBuilder.table(unsplittable, List.of(chunk("a", 1, 0, MIN, MAX)), ordinals);
        RoutingTableUpdate moved = new RoutingTableUpdate(one, one.collection(), ordinals);
        moved.add(chunk("b", 2, 0, MIN, MAX));
        assertThat(owners(moved.build())).isEqualTo("b");
        RoutingTableUpdate split = new RoutingTableUpdate(one, one.collection(), ordinals);
        split.add(chunk("a", 2, 0, MIN, "{a: 1}"));
        split.add(chunk("a", 2, 1, "{a: 1}", MAX));
        assertThatThrownBy(split::build)
                .hasMessage("shop.orders: 2 chunks (expected: exactly 1, as the collection is unsplittable)");
    }

    @Test
    void aHistoryThatChangedIsTaken() {
        BsonArray history = BsonArray.parse("[{validAfter: {$timestamp: {t: 77, i: 0}}, shard: 'b'}]");
        RoutingTable table = update(chunk("b", 4, 0, "{a: " + SECRET + "}", MAX).append("history", history))
                .build();

        assertThat(table.isUnchangedSince(77L << 32)).isTrue();
        assertThat(table.isUnchangedSince(76L << 32)).isFalse();
        assertThat(base.isUnchangedSince(0)).isTrue();
    }

    private static List<BsonDocument> hundredChunks() {
        String[] splits = IntStream.range(1, 100).mapToObj(Integer::toString).toArray(String[]::new);
        return ORDERS.chunksSplitAt(splits);
    }

    private RoutingTable tenToAPage(List<BsonDocument> chunks) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(base.collection(), ordinals, 10);
        chunks.forEach(assembler::add);
        return assembler.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 9})
    void aPageOfWhichLittleIsLeftIsJoinedWithANeighbour(int page) {
        List<BsonDocument> chunks = hundredChunks();
        RoutingTable large = tenToAPage(chunks);
        BsonDocument merged = chunks.get(10 * page).clone();
        merged.put("max", chunks.get(10 * page + 9).get("max"));
        merged.put("lastmod", new BsonTimestamp(500, 0));
        RoutingTableUpdate update = new RoutingTableUpdate(large, base.collection(), ordinals);
        update.add(merged);
        ChunkPages pages = update.build().pages();

        assertThat(pages.chunkCount()).isEqualTo(91);
        assertThat(IntStream.range(0, pages.pageCount()).map(i -> pages.page(i).size()))
                .hasSize(9)
                .containsOnly(10, 11);
    }

    /** Chunks of 100 of 10 to a page: whichever is changed, the other pages are the base's own. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 50, 59, 89, 90, 99})
    void sharesThePagesThatDidNotChange(int changed) {
        List<BsonDocument> chunks = hundredChunks();
        RoutingTable large = tenToAPage(chunks);
        RoutingTableUpdate update = new RoutingTableUpdate(large, base.collection(), ordinals);
        BsonDocument moved = chunks.get(changed).clone();
        moved.putAll(BsonDocument.parse("{shard: 'c', lastmod: {$timestamp: {t: 500, i: 0}}}"));
        update.add(moved);
        RoutingTable table = update.build();

        assertThat(table.pages().pageCount())
                .isEqualTo(large.pages().pageCount())
                .isEqualTo(10);
        for (int page = 0; page < 10; page++) {
            boolean same = table.pages().page(page).owners()
                    == large.pages().page(page).owners();
            assertThat(same).as("page %d", page).isEqualTo(page != changed / 10);
        }
        assertThat(table.owner(changed)).isEqualTo(ordinals.ordinal("c"));
        assertThat(KeyBytes.compare(table.min(changed), large.min(changed))).isZero();
    }
}
