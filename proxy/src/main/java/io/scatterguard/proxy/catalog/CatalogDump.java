package io.scatterguard.proxy.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/**
 * A catalog as text, so that it can be attached to a report: one document in Extended JSON,
 * {@code {"shards": […], "databases": […], "collections": […], "chunks": […], "tags": […]}}, each member the raw documents
 * of the {@code config} collection of that name. {@code views} and {@code clusterParameters} may follow, see
 * {@link RawCatalog}, and {@code serverVersion} may come before. Written in canonical mode, which keeps the numeric types
 * apart; read in either mode.
 *
 * @param serverVersion the release of the server that the catalog was read from, for instance {@code 6.0.5}; where a dump
 *     does not say it, what its documents {@linkplain DumpRelease show}; null where they show nothing
 */
public record CatalogDump(RawCatalog catalog, @Nullable String serverVersion) {
    private static final JsonWriterSettings CANONICAL =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    /** The catalog of a dump, see {@link #parse}. */
    public static RawCatalog read(String text) {
        return parse(text).catalog();
    }

    /**
     * Reads a dump. Members that are not there are empty, but for {@code shards}; members of other names are left out.
     *
     * @throws CatalogException if it is not one: no Extended JSON, no {@code shards}, or a member that is not a list of
     *     documents
     */
    public static CatalogDump parse(String text) {
        BsonDocument dump = document(text);
        if (!dump.containsKey("shards")) {
            throw new CatalogException(
                    "not a catalog dump: no member \"shards\" (write one with: scatterguard catalog dump)");
        }
        RawCatalog catalog = new RawCatalog(
                documents(dump, "shards"),
                documents(dump, "databases"),
                documents(dump, "collections"),
                documents(dump, "chunks"),
                documents(dump, "tags"),
                documents(dump, "views"),
                documents(dump, "clusterParameters"));
        BsonValue version = dump.get("serverVersion");
        if (version != null && !version.isString()) {
            throw new CatalogException(
                    "catalog dump: \"serverVersion\" is not a string (it is: " + version.getBsonType() + ")");
        }
        return new CatalogDump(
                catalog,
                version == null ? DumpRelease.of(catalog) : version.asString().getValue());
    }

    private static BsonDocument document(String text) {
        try {
            return ExtendedJson.document(text);
        } catch (IllegalArgumentException e) {
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

    /** Writes a dump that does not name the release of a server, see {@link #write(Writer)}. */
    public static void write(RawCatalog catalog, Writer out) {
        new CatalogDump(catalog, null).write(out);
    }

    /**
     * Writes the dump, one raw document a line.
     *
     * @throws UncheckedIOException if {@code out} fails
     */
    public void write(Writer out) {
        try {
            out.write("{");
            if (serverVersion != null) {
                String member = new BsonDocument("serverVersion", new BsonString(serverVersion)).toJson(CANONICAL);
                out.write("\n" + member.substring(1, member.length() - 1) + ",");
            }
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
