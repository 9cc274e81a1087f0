package io.scatterguard.tests.fuzz;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The router that is judged. */
final class KeyRouterUnderTest implements RouterUnderTest {
    private record Known(Layout layout, CatalogSnapshot catalog) {}

    /** Of the layout that a thread saw last: its cases come one after the other. */
    private static final ThreadLocal<@Nullable Known> KNOWN = new ThreadLocal<>();

    private final KeyRouter router = new KeyRouter();

    @Override
    public List<Prediction> predict(FuzzCase c, List<String> releases) {
        CommandView find = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(c.command()));
        CatalogSnapshot catalog = catalog(c.layout());
        return releases.stream()
                .map(release -> prediction(router.route(find, catalog, RouterRelease.parse(release))))
                .toList();
    }

    private static Prediction prediction(Route route) {
        PredictedError error = route.worst().error();
        return new Prediction(
                new TreeSet<>(route.registry().names(route.shards().union(route.contacted()))),
                route.certainty() == Certainty.EXACT,
                error == null ? "" : error.toString());
    }

    private CatalogSnapshot catalog(Layout layout) {
        Known last = KNOWN.get();
        if (last == null || !last.layout().equals(layout)) {
            last = new Known(layout, VectorCatalog.of(layout.vector()));
            KNOWN.set(last);
        }
        return last.catalog();
    }
}
