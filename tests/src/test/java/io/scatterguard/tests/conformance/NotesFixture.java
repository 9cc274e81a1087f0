package io.scatterguard.tests.conformance;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/** Collections of different keys over x, y and z, and the notes on a command on one of them. */
final class NotesFixture {
    static final String OID = "{$oid: '5f0000000000000000000000'}";
    private static final Map<String, CatalogSnapshot> CATALOGS = Map.of(
            "number", catalog("{a: 1}", "{a: 0}", "{a: 100}"),
            "string", catalog("{a: 1}", "{a: 'g'}", "{a: 'p'}"),
            "oid", catalog("{a: 1}", "{a: " + OID + "}", "{a: {$oid: '600000000000000000000000'}}"),
            "mixed", catalog("{a: 1}", "{a: 7}", "{a: 'p'}"),
            "nullable", catalog("{a: 1}", "{a: null}", "{a: 'p'}"),
            "hashed", catalog("{a: 'hashed'}", "{a: {$numberLong: '-30'}}", "{a: {$numberLong: '30'}}"),
            "tenant",
                    catalog(
                            "{tenantId: 1, userId: 1}",
                            "{tenantId: 'g', userId: " + OID + "}",
                            "{tenantId: 'p', userId: " + OID + "}"),
            "nested", catalog("{'meta.tenantId': 1}", "{'meta.tenantId': 'g'}", "{'meta.tenantId': 'p'}"),
            "byId", catalog("{_id: 1}", "{_id: 'g'}", "{_id: 'p'}"),
            "thenId", catalog("{tenantId: 1, _id: 1}", "{tenantId: 'g', _id: 1}", "{tenantId: 'p', _id: 1}"));

    /** Three chunks on x, y and z. */
    private static CatalogSnapshot catalog(String key, String first, String second) {
        BsonDocument pattern = BsonDocument.parse(key);
        String min = all(pattern, "$minKey");
        String max = all(pattern, "$maxKey");
        return VectorCatalog.of("{shardKey: " + key + ", chunks: ["
                + "{min: " + min + ", max: " + first + ", shard: 'x'},"
                + "{min: " + first + ", max: " + second + ", shard: 'y'},"
                + "{min: " + second + ", max: " + max + ", shard: 'z'}]}");
    }

    private static String all(BsonDocument pattern, String bound) {
        return pattern.keySet().stream()
                .map(field -> "'" + field + "': {" + bound + ": 1}")
                .collect(Collectors.joining(", ", "{", "}"));
    }

    static List<Note> notes(String collection, BsonDocument command, String release) {
        CatalogSnapshot catalog = CATALOGS.get(collection);
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(command));
        Route route = new KeyRouter().route(view, catalog, RouterRelease.parse(release));
        return Notes.of(view, route);
    }

    static String names(String collection, String command, String release) {
        return notes(collection, BsonDocument.parse(command), release).stream()
                .map(note -> note.name().text() + "(" + note.field() + ")"
                        + (note.statement() == 0 ? "" : "@" + note.statement()))
                .collect(Collectors.joining(" "));
    }

    private NotesFixture() {}
}
