package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** What is allocated to publish one change, among 20,000 collections of which 50 are loaded. */
class PublicationCostTest {
    private static final int COLLECTIONS = 20_000;
    private static final Namespace BUSY = Namespace.parse("busy.c0");

    private final FakeCatalogSource source = new FakeCatalogSource();
    private final CatalogLoader loader = new CatalogLoader(source, Clock.systemUTC());

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    @Test
    void aChangedTableCostsNothingForTheOthers() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        List<BsonDocument> many = IntStream.range(0, COLLECTIONS)
                .mapToObj(i -> orders.documentWith("{}")
                        .append("_id", new BsonString("big.c" + i))
                        .append("number", new BsonInt32(i)))
                .toList();
        source.collections.addAll(many);
        for (int i = 0; i < 50; i++) {
            Collection collection = Collection.of(Layout.UUID, "busy.c" + i, "{a: 1}");
            source.with(collection, collection.chunksSplitAt("1"));
        }
        loader.sweep();
        for (int i = 0; i < 50; i++) {
            loader.look(new Namespace("busy", "c" + i));
        }
        assertThat(loader.takeChanged()).isNotNull();

        long most = 0;
        for (int i = 0; i < 5; i++) {
            source.move(source.chunks.get(0), i % 2 == 0 ? "b" : "a", 10 + i, 0);
            loader.look(BUSY);
            long before = allocated();
            CatalogLoad load = loader.takeChanged();
            most = Math.max(most, allocated() - before);
            assertThat(load.snapshot().table(BUSY).version().major()).isEqualTo(10 + i);
            assertThat(load.snapshot().tracked()).hasSize(COLLECTIONS + 50);
        }
        long afterChange = most;
        loader.sweep();
        long before = allocated();
        assertThat(loader.takeChanged()).isNotNull();
        long afterSweep = allocated() - before;

        System.out.println("bytes a publication: " + afterChange + " after a change, " + afterSweep + " after a sweep");
        assertThat(afterChange).isLessThan(32 * 1024);
        assertThat(afterSweep).isLessThan(32 * 1024);
    }
}
