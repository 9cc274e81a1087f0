package io.scatterguard.proxy.catalog;

import com.mongodb.MongoException;
import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.BsonDocument;

/**
 * The views that belong into a dump of some collections: those that are wanted themselves or read what is, be it through
 * other views, and what they read in turn.
 *
 * @param documents as in {@code system.views}
 * @param underlying the namespaces that they read, without which they say nothing
 */
record DumpedViews(List<BsonDocument> documents, Set<Namespace> underlying) {

    /**
     * @param databases documents of {@code config.databases}
     * @param leftOut takes a line for each database whose views cannot be read
     */
    static DumpedViews read(
            CatalogSource source, List<BsonDocument> databases, Predicate<Namespace> wanted, List<String> leftOut) {
        if (!source.readsViews()) {
            leftOut.add("views were left out: config servers hold none (dump through a mongos)");
            return new DumpedViews(List.of(), Set.of());
        }
        List<BsonDocument> all = new ArrayList<>();
        for (BsonDocument database : databases) {
            String name = ConfigFields.string(database, "_id", "config.databases");
            try {
                List<BsonDocument> views = source.views(name);
                views.forEach(DumpedViews::viewOn); // Or it cannot be followed, and is of no use.
                all.addAll(views);
            } catch (MongoException | CatalogException e) {
                leftOut.add("the views of " + name + " were left out: " + ViewLoader.name(e));
            }
        }
        return closure(all, wanted);
    }

    static DumpedViews closure(List<BsonDocument> all, Predicate<Namespace> wanted) {
        List<BsonDocument> kept = new ArrayList<>();
        Set<Namespace> underlying = new HashSet<>();
        List<BsonDocument> rest = new ArrayList<>(all);
        Set<Namespace> readers = new HashSet<>();
        boolean grew = true;
        while (grew) {
            grew = rest.removeIf(view -> {
                Namespace viewOn = viewOn(view);
                boolean reader = wanted.test(name(view)) || wanted.test(viewOn) || readers.contains(viewOn);
                boolean keep = reader || underlying.contains(name(view));
                if (reader) {
                    readers.add(name(view));
                }
                if (keep) {
                    kept.add(view);
                    underlying.add(viewOn);
                }
                return keep;
            });
        }
        return new DumpedViews(kept, underlying);
    }

    private static Namespace name(BsonDocument view) {
        return Namespace.parse(ConfigFields.string(view, "_id", "system.views"));
    }

    private static Namespace viewOn(BsonDocument view) {
        return new Namespace(name(view).database(), ConfigFields.string(view, "viewOn", "system.views"));
    }
}
