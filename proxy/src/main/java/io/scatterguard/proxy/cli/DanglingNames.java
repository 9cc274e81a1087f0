package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.RawCatalog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Names in a dump that nothing in it has: each is a part that is missing, or a slip of whoever edited it. */
final class DanglingNames {
    /** Databases such as {@code config} are on the config servers, which are no shard of that name in general. */
    private static final String CONFIG_SERVERS = "config";

    private final RawCatalog raw;
    private final Set<String> shards;
    private final Set<CatalogProblem> problems = new LinkedHashSet<>();

    private DanglingNames(RawCatalog raw) {
        this.raw = raw;
        this.shards = ids(raw.shards());
    }

    /** A problem for each such name, once. */
    static List<CatalogProblem> of(RawCatalog raw) {
        DanglingNames names = new DanglingNames(raw);
        if (raw.shards().isEmpty()) {
            names.problems.add(new CatalogProblem("shards", "there are none (expected: at least one)"));
        }
        names.databases();
        names.collections();
        names.chunks();
        return List.copyOf(names.problems);
    }

    private static Set<String> ids(List<BsonDocument> documents) {
        Set<String> ids = new HashSet<>();
        documents.forEach(document -> ids.add(text(document, "_id")));
        return ids;
    }

    private static String text(BsonDocument document, String name) {
        BsonValue value = document.get(name);
        return value != null && value.isString() ? value.asString().getValue() : "";
    }

    private void databases() {
        for (BsonDocument database : raw.databases()) {
            String primary = text(database, "primary");
            if (!primary.isEmpty() && !primary.equals(CONFIG_SERVERS) && !shards.contains(primary)) {
                problems.add(new CatalogProblem(
                        text(database, "_id"), "its primary \"" + primary + "\" is not in \"shards\""));
            }
        }
    }

    private void collections() {
        Set<String> databases = ids(raw.databases());
        for (BsonDocument collection : raw.collections()) {
            Namespace namespace = Namespace.parse(text(collection, "_id"));
            if (!namespace.isAdministrative() && !databases.contains(namespace.database())) {
                problems.add(new CatalogProblem(
                        namespace.fullName(), "its database \"" + namespace.database() + "\" is not in \"databases\""));
            }
        }
    }

    private void chunks() {
        Set<BsonValue> collections = new HashSet<>();
        for (BsonDocument collection : raw.collections()) {
            for (String name : List.of("_id", "uuid")) {
                BsonValue id = collection.get(name);
                if (id != null) {
                    collections.add(id);
                }
            }
        }
        for (BsonDocument chunk : raw.chunks()) {
            List<String> of = new ArrayList<>();
            boolean found = false;
            for (String name : List.of("uuid", "ns")) {
                BsonValue id = chunk.get(name);
                if (id != null) {
                    found |= collections.contains(id);
                    of.add(new BsonDocument(name, id).toJson());
                }
            }
            String subject = of.isEmpty() ? "chunks" : "chunks of " + of.get(0);
            if (!found) {
                problems.add(new CatalogProblem(subject, "no such collection is in \"collections\""));
            }
            String shard = text(chunk, "shard");
            if (!shard.isEmpty() && !shards.contains(shard)) {
                problems.add(new CatalogProblem(subject, "their shard \"" + shard + "\" is not in \"shards\""));
            }
        }
    }
}
