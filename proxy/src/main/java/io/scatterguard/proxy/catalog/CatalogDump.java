package io.scatterguard.proxy.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonSerializationException;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonParseException;
import org.bson.json.JsonWriterSettings;

/**
 * A catalog as text, so that it can be attached to a report: one document in Extended JSON,
 * {@code {"shards": […], "databases": […], "collections": […], "chunks": […], "tags": […]}}, each member the raw documents
 * of the {@code config} collection of that name. {@code views} and {@code clusterParameters} may follow, see
 * {@link RawCatalog}. Written in canonical mode, which keeps the numeric types apart; read in either mode.
 */
public final class CatalogDump {
    private static final JsonWriterSettings CANONICAL =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private CatalogDump() {}

    /**
     * Reads a dump. Members that are not there are empty, but for {@code shards}; members of other names are left out.
     *
     * @throws CatalogException if it is not one: no Extended JSON, no {@code shards}, or a member that is not a list of
     *     documents
     */
    public static RawCatalog read(String text) {
        BsonDocument dump = parse(text);
        if (!dump.containsKey("shards")) {
            throw new CatalogException(
                    "not a catalog dump: no member \"shards\" (write one with: scatterguard catalog dump)");
        }
        return new RawCatalog(
                documents(dump, "shards"),
                documents(dump, "databases"),
                documents(dump, "collections"),
                documents(dump, "chunks"),
                documents(dump, "tags"),
                documents(dump, "views"),
                documents(dump, "clusterParameters"));
    }

    private static BsonDocument parse(String text) {
        try {
            return BsonDocument.parse(text);
        } catch (JsonParseException | BsonInvalidOperationException | BsonSerializationException e) {
            throw new CatalogException("not a catalog dump: " + e.getMessage());
        }
    }

    private static List<BsonDocument> documents(BsonDocument dump, String name) {
        BsonValue member = dump.get(name);
        if (member == null) {
            return List.of();
        }
        if (!member.isArray()) {
            throw new CatalogException(
                    "catalog dump: \"" + name + "\" is not a list (it is: " + member.getBsonType() + ")");
        }
        List<BsonDocument> documents = new ArrayList<>(member.asArray().size());
        for (BsonValue element : (BsonArray) member) {
            if (!element.isDocument()) {
                throw new CatalogException("catalog dump: \"" + name + "\" element " + documents.size()
                        + " is not a document (it is: " + element.getBsonType() + ")");
            }
            documents.add(element.asDocument());
        }
        return documents;
    }

    /**
     * Writes a dump, one raw document a line.
     *
     * @throws UncheckedIOException if {@code out} fails
     */
    public static void write(RawCatalog catalog, Writer out) {
        try {
            out.write("{");
            member("shards", catalog.shards(), "", out);
            member("databases", catalog.databases(), ",", out);
            member("collections", catalog.collections(), ",", out);
            member("chunks", catalog.chunks(), ",", out);
            member("tags", catalog.tags(), ",", out);
            member("views", catalog.views(), ",", out);
            member("clusterParameters", catalog.clusterParameters(), ",", out);
            out.write("\n}\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void member(String name, List<BsonDocument> documents, String before, Writer out)
            throws IOException {
        out.write(before + "\n\"" + name + "\": [");
        String separator = "\n";
        for (BsonDocument document : documents) {
            out.write(separator);
            out.write(document.toJson(CANONICAL));
            separator = ",\n";
        }
        out.write("]");
    }
}
