package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.util.ArrayList;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read by itself while a sweep is under way is newer than what the sweep has read of it, and stays. */
class SweepOverlapTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final Namespace CARTS = Namespace.parse("shop.carts");
    private static final Namespace OTHER = Namespace.parse("shop.other");

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final Collection carts = Collection.of(Layout.UUID, "shop.carts", "{a: 1}");
    private final Collection other = Collection.of(Layout.UUID, "shop.other", "{a: 1}");
    private final FakeCatalogSource source =
            new FakeCatalogSource().with(orders, orders.chunksSplitAt("1")).with(other, other.chunksSplitAt());
    private final CatalogLoader loader = new CatalogLoader(source, Clock.systemUTC());

    /** A sweep, in which {@code meanwhile} happens once the collections were read. */
    private CatalogSnapshot sweepAnd(Runnable meanwhile) {
        source.beforeStep = () -> {
            boolean read = !source.queries.isEmpty()
                    && source.queries.get(source.queries.size() - 1).equals("collections");
            if (read) {
                source.beforeStep = () -> {};
                meanwhile.run();
            }
        };
        loader.sweep();
        assertThat(source.queries).contains("version");
        return loader.takeChanged().snapshot();
    }

    @Test
    void aCollectionThatWasShardedMeanwhileIsTracked() {
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.with(carts, carts.chunksSplitAt());
            loader.reread(CARTS);
        });

        assertThat(after.tracked()).containsOnlyKeys(ORDERS, CARTS, OTHER);
        assertThat(after.notLoaded(CARTS)).containsExactly(CARTS);
        loader.sweep();
        assertThat(loader.takeChanged().snapshot().tracked())
                .as("the next sweep's word counts")
                .containsOnlyKeys(ORDERS, CARTS, OTHER);
    }

    @Test
    void aCollectionThatWasDroppedMeanwhileIsNot() {
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.remove("shop.orders");
            loader.reread(ORDERS);
        });

        assertThat(after.tracked()).containsOnlyKeys(OTHER);
        assertThat(after.tables()).containsOnlyKeys(OTHER);
    }

    @Test
    void aCollectionThatALookFoundGoneIsNot() {
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.remove("shop.orders");
            loader.look(ORDERS);
        });

        assertThat(after.tracked()).containsOnlyKeys(OTHER);
    }

    /** In the layout without timestamps the documents alone do not tell which of two lives is the later one. */
    @ParameterizedTest
    @EnumSource
    void aLifeThatALookFoundStays(Layout layout) {
        Collection first = Collection.of(layout, "shop.orders", "{a: 1}");
        source.with(first, first.chunksSplitAt("1"));
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.with(first.recreated(), first.recreated().chunksSplitAt("1", "2", "3"));
            loader.reread(ORDERS);
            loader.look(ORDERS);
        });

        assertThat(after.table(ORDERS).chunkCount()).isEqualTo(4);
        assertThat(after.notLoaded(ORDERS)).isEmpty();
    }

    @Test
    void aDatabaseThatWasMovedOrMadeMeanwhileIsAsItWasReadThen() {
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.databases.set(0, BsonDocument.parse("{_id: 'shop', primary: 'a'}"));
            source.databases.add(BsonDocument.parse("{_id: 'crm', primary: 'b'}"));
            source.remove("shop.other");
            loader.reread(new Namespace("shop", ""));
            loader.reread(new Namespace("crm", ""));
        });

        assertThat(after.primary("shop")).isZero();
        assertThat(after.primary("crm")).isEqualTo(1);
        assertThat(after.tracked()).containsOnlyKeys(ORDERS);
    }

    @Test
    void aShardThatALookFoundStaysRegistered() {
        loader.load();

        CatalogSnapshot after = sweepAnd(() -> {
            source.shards.add(BsonDocument.parse("{_id: 'c'}"));
            source.move(source.chunks.get(0), "c", 9, 0);
            loader.look(ORDERS);
        });

        assertThat(after.registry().names(after.registry().registered())).containsExactly("a", "b", "c");
    }

    @Test
    void aViewThatWasMadeMeanwhileStays() {
        source.views = new ArrayList<>();
        loader.load();
        Namespace view = Namespace.parse("shop.v");
        source.beforeStep = () -> {
            boolean viewsRead = !source.queries.isEmpty()
                    && source.queries.get(source.queries.size() - 1).equals("clusterParameters");
            if (viewsRead) {
                source.beforeStep = () -> {};
                source.views.add(BsonDocument.parse("{_id: 'shop.v', viewOn: 'orders', pipeline: []}"));
                loader.reread(view);
            }
        };
        source.queries.clear();
        loader.sweep();

        CatalogSnapshot after = loader.takeChanged().snapshot();

        assertThat(after.view(view)).isNotNull();
        assertThat(after.notLoaded(view)).as("what it reads is loaded").isEmpty();
    }

    /** What was read between two sweeps does not stand against the second. */
    @Test
    void whatWasReadBeforeTheSweepBeganDoesNotCount() {
        loader.load();
        loader.reread(ORDERS);
        loader.reread(new Namespace("shop", ""));
        source.remove("shop.orders");
        source.databases.set(0, BsonDocument.parse("{_id: 'shop', primary: 'a'}"));

        loader.sweep();

        CatalogSnapshot after = loader.takeChanged().snapshot();
        assertThat(after.tracked()).containsOnlyKeys(OTHER);
        assertThat(after.primary("shop")).isZero();
    }

    @Test
    void aSweepThatFailedLeavesNothingBehind() {
        loader.load();
        source.down = new IllegalStateException("gone");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(loader::sweep))
                .isNotNull();
        source.down = null;
        source.with(orders.documentWith("{unique: true}"), orders.chunksSplitAt("1"));
        loader.reread(ORDERS);
        source.with(orders.documentWith("{unique: false}").append("x", new BsonString("y")), orders.chunksSplitAt("1"));

        loader.sweep();

        assertThat(loader.takeChanged().snapshot().tracked().get(ORDERS).unique())
                .isFalse();
    }
}
