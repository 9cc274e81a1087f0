package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class ViewLoaderTest {
    private static final Namespace V = Namespace.parse("shop.v");

    private final FakeCatalogSource source = new FakeCatalogSource();
    private final AtomicLong seconds = new AtomicLong();
    private final Clock clock = InstantSource.system().withZone(ZoneOffset.UTC);

    private static BsonDocument view(String name, String viewOn) {
        return BsonDocument.parse("{_id: '" + name + "', viewOn: '" + viewOn + "', pipeline: []}");
    }

    @Test
    void aSweepReadsTheViewsOfEveryDatabase() {
        source.views = new ArrayList<>(List.of(view("shop.v", "orders"), view("shop.round", "round")));
        CatalogLoader loader = new CatalogLoader(source, clock);

        CatalogSnapshot snapshot = loader.load().snapshot();

        assertThat(snapshot.view(V).underlying()).isEqualTo(Namespace.parse("shop.orders"));
        assertThat(snapshot.isUnknown(Namespace.parse("shop.round"))).isTrue();
        assertThat(source.queries).containsOnlyOnce("views shop");
    }

    @Test
    void onConfigServersThereAreNone() {
        CatalogLoad load = new CatalogLoader(source, clock).load();
        assertThat(load.snapshot().views()).isEmpty();
        assertThat(load.problems()).isEmpty();
        assertThat(source.queries).doesNotContain("views shop");
    }

    @Test
    void aDatabaseThatCannotBeReadKeepsItsViewsAndTheRefreshSucceeds() {
        source.views = new ArrayList<>(List.of(view("shop.v", "orders"), view("other.v", "x")));
        source.databases.add(BsonDocument.parse("{_id: 'other', primary: 'a'}"));
        CatalogLoader loader = new CatalogLoader(source, clock);
        CatalogLoad first = loader.load();
        assertThat(first.problems()).isEmpty();
        source.databases.forEach(database ->
                first.snapshot().noteUse(new Namespace(database.getString("_id").getValue(), "c")));
        source.withoutViews.add("shop");
        source.views.remove(1);

        CatalogLoad load = loader.load();

        assertThat(load.snapshot().views()).containsOnlyKeys(V);
        assertThat(load.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.subject()).isEqualTo("shop");
            assertThat(problem.message())
                    .isEqualTo("shop: its views could not be read: IllegalStateException (expected: the privilege"
                            + " listCollections; those read earlier are used on)");
        });
        load.snapshot().noteUse(V);
        assertThat(loader.load().problems()).as("the same, so logged once").isEqualTo(load.problems());
    }

    @Test
    void aDroppedDatabaseTakesItsViewsAlong() {
        source.views = new ArrayList<>(List.of(view("shop.v", "orders")));
        CatalogLoader loader = new CatalogLoader(source, clock);
        loader.load();
        source.databases.clear();
        assertThat(loader.load().snapshot().views()).isEmpty();
    }

    @Test
    void unchangedViewsAreTheSameObjects() {
        source.views = new ArrayList<>(List.of(view("shop.v", "orders")));
        CatalogLoader loader = new CatalogLoader(source, clock);
        ResolvedView before = loader.load().snapshot().view(V);
        assertThat(loader.load().snapshot().view(V)).isSameAs(before);
    }

    @Test
    void whatTheTimeDoesNotSufficeForIsReadFirstTheNextTime() {
        source.views = new ArrayList<>();
        Clock ticking = ((InstantSource) () -> Instant.ofEpochSecond(seconds.get())).withZone(ZoneOffset.UTC);
        source.beforeStep = () -> seconds.addAndGet(3);
        ViewLoader loader = new ViewLoader(source, ticking);
        Set<String> databases = Set.of("a", "b", "c", "d", "e");
        List<CatalogProblem> problems = new ArrayList<>();

        loader.load(databases, databases, problems);
        assertThat(source.queries).containsExactly("views a", "views b");
        assertThat(problems)
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("views: 5 s do not suffice"));
        loader.load(databases, databases, problems);
        loader.load(databases, databases, problems);

        assertThat(source.queries).containsExactly("views a", "views b", "views c", "views d", "views e", "views a");
    }

    /** Those of a database that was in use are read by a later refresh, also if it is not in use any more by then. */
    @Test
    void whatCouldNotBeReadInTimeOrAtAllStaysToBeRead() {
        source.views = new ArrayList<>();
        Clock ticking = ((InstantSource) () -> Instant.ofEpochSecond(seconds.get())).withZone(ZoneOffset.UTC);
        ViewLoader loader = new ViewLoader(source, ticking);
        Set<String> databases = Set.of("a", "b", "c");
        loader.load(databases, Set.of(), new ArrayList<>());
        source.queries.clear();
        source.withoutViews.add("a");
        source.beforeStep = () -> seconds.addAndGet(3);

        loader.load(databases, databases, new ArrayList<>());
        assertThat(source.queries).containsExactly("views a", "views b");
        source.beforeStep = () -> {};
        source.withoutViews.clear();
        source.queries.clear();
        loader.load(databases, Set.of(), new ArrayList<>());
        loader.load(databases, Set.of(), new ArrayList<>());

        assertThat(source.queries).containsExactly("views c", "views a");
    }
}
