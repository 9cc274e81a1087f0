package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalog;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The collections that a dump is to hold.
 *
 * @param names each a database or {@code db.coll}; none for everything
 */
record Selection(List<String> names) implements Predicate<Namespace> {
    private static final String BUCKETS = "system.buckets.";

    Selection {
        names = List.copyOf(names);
    }

    /** A time-series collection is named by its own name, and its buckets hold the chunks. */
    @Override
    public boolean test(Namespace namespace) {
        return names.isEmpty() || names.stream().anyMatch(name -> matches(name, namespace));
    }

    private static boolean matches(String name, Namespace namespace) {
        Namespace wanted = Namespace.parse(name);
        return wanted.database().equals(namespace.database())
                && (wanted.collection().isEmpty()
                        || wanted.collection().equals(namespace.collection())
                        || (BUCKETS + wanted.collection()).equals(namespace.collection()));
    }

    /** The same catalog with only the databases that are wanted. */
    RawCatalog databasesOf(RawCatalog raw) {
        List<BsonDocument> databases = raw.databases().stream()
                .filter(database -> names.isEmpty()
                        || names.stream()
                                .anyMatch(
                                        name -> Namespace.parse(name).database().equals(id(database))))
                .toList();
        return new RawCatalog(
                raw.shards(),
                databases,
                raw.collections(),
                raw.chunks(),
                raw.tags(),
                raw.views(),
                raw.clusterParameters());
    }

    /** Whether names are given and none of them is that of a collection or a view of the catalog. */
    boolean isNothingOf(RawCatalog raw) {
        return !names.isEmpty() && unmatched(raw).size() == names.size();
    }

    /** The names that no collection and no view of the catalog has. */
    List<String> unmatched(RawCatalog raw) {
        Stream<String> without = names.stream()
                .filter(name -> Stream.concat(raw.collections().stream(), raw.views().stream())
                        .noneMatch(document -> matches(name, Namespace.parse(id(document)))));
        return without.toList();
    }

    private static String id(BsonDocument document) {
        BsonValue id = document.get("_id");
        return id != null && id.isString() ? id.asString().getValue() : "";
    }
}
