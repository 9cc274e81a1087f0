package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The catalogs a case is tried on: the chunks it gives, or, where it gives none, two layouts cut at the values in its
 * command. The database's primary is a shard of its own that owns no chunk, unless the case gives the chunks.
 */
record CaseCatalog(CatalogSnapshot snapshot, boolean fine) {
    private static final String SPARE = "spare";
    private static final int FEW_SHARDS = 3;

    static List<CaseCatalog> of(Members given) {
        List<CaseCatalog> catalogs = new ArrayList<>(2);
        if (given.has("chunks")) {
            List<BsonDocument> chunks = given.documents("chunks");
            if (chunks.isEmpty()) {
                throw new LineFormatException(
                        "member \"chunks\": [] (expected: at least one chunk, or no such member)");
            }
            catalogs.add(new CaseCatalog(build(given, chunks, new Members(chunks.get(0)).string("shard")), true));
            return catalogs;
        }
        BsonDocument key = given.documentOrNull("shardKey");
        if (key == null) {
            catalogs.add(new CaseCatalog(build(given, List.of(), SPARE), true));
            return catalogs;
        }
        CaseLayout layout = new CaseLayout(key, given.document("command"));
        catalogs.add(new CaseCatalog(build(given, layout.fine(), SPARE), true));
        catalogs.add(new CaseCatalog(build(given, layout.dealt(FEW_SHARDS), SPARE), false));
        return catalogs;
    }

    private static CatalogSnapshot build(Members given, List<BsonDocument> chunks, String primary) {
        ConfigDocuments config = new ConfigDocuments();
        Namespace namespace = given.namespace();
        BsonDocument key = given.documentOrNull("shardKey");
        if (key != null) {
            config.collection(tracked(given, namespace), key, chunks, options(given));
        }
        if (!namespace.isAdministrative()) {
            config.database(namespace.database(), primary);
        }
        config.shard(primary);
        if (given.has("view")) {
            Members view = new Members(given.document("view"));
            String viewOn = Namespace.parse(view.string("on")).collection();
            config.view(namespace.fullName(), new BsonString(viewOn), pipeline(view));
        }
        for (BsonDocument inner : given.documentsOrNone("inner")) {
            involve(new Members(inner), given.document("command"), config);
        }
        return config.build();
    }

    private static BsonArray pipeline(Members view) {
        return new BsonArray(view.documents("pipeline"));
    }

    /** The namespace that the chunks belong to: that of the buckets, or the one below a view. */
    private static String tracked(Members given, Namespace namespace) {
        if (given.has("view")) {
            return new Members(given.document("view")).string("on");
        }
        return given.has("timeseries")
                ? namespace.database() + ".system.buckets." + namespace.collection()
                : namespace.fullName();
    }

    private static BsonDocument options(Members given) {
        BsonDocument options = new BsonDocument();
        if (given.has("timeseries")) {
            options.append("timeseriesFields", given.document("timeseries"));
        }
        if (given.has("defaultCollation")) {
            options.append("defaultCollation", given.document("defaultCollation"));
        }
        return options;
    }

    /** A collection that a nested stage reads, dealt out like the others. */
    private static void involve(Members inner, BsonDocument command, ConfigDocuments config) {
        BsonDocument key = inner.documentOrNull("shardKey");
        if (key != null) {
            config.collection(
                    inner.string("ns"), key, new CaseLayout(key, command).dealt(FEW_SHARDS), new BsonDocument());
        }
    }
}
