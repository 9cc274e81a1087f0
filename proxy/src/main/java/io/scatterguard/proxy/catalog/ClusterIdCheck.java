package io.scatterguard.proxy.catalog;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import javax.net.ssl.SSLContext;
import org.bson.BSONException;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Whether the catalog is that of the cluster that commands are forwarded to: both must show the same {@code clusterId}
 * in {@code config.version}. Predictions from another cluster's metadata would be wrong without a sign of it.
 *
 * @param outcome what is known
 * @param message one line for a person, without connection strings; empty if the ids are the same
 */
public record ClusterIdCheck(Outcome outcome, String message) {
    /** What is known of two clusters' ids. */
    public enum Outcome {
        SAME,
        DIFFERENT,
        /** An id could not be read (unreachable, or without credentials), or there is none. */
        UNKNOWN
    }

    /** What one side shows; {@code failure} says why there is no {@code id}. */
    private record Shown(@Nullable ObjectId id, String failure) {}

    /**
     * Compares the ids read through two connection strings. Connects to both, waits as long as {@link MongoCatalogSource}
     * does, and blocks meanwhile: not for an event loop. Equal connection strings are the same without connecting.
     *
     * @param catalogUri where the catalog is read
     * @param routerUri the upstream of a listener
     * @throws IllegalArgumentException if one is no connection string
     */
    public static ClusterIdCheck between(String catalogUri, String routerUri) {
        return between(catalogUri, routerUri, null);
    }

    /**
     * Likewise; each side uses {@code tls} if its connection string says {@code tls=true}.
     *
     * @param tls null for what the JVM has
     */
    public static ClusterIdCheck between(String catalogUri, String routerUri, @Nullable SSLContext tls) {
        if (catalogUri.equals(routerUri)) {
            return new ClusterIdCheck(Outcome.SAME, "");
        }
        return of(shown(catalogUri, tls), shown(routerUri, tls));
    }

    /**
     * Compares the id read through {@code catalogUri} with one that the upstream showed; connects to the former only.
     *
     * @param shown by the listener's upstream; null if it could not be read
     * @param failure why not
     * @param tls for a connection string that says {@code tls=true}; null for what the JVM has
     * @throws IllegalArgumentException if {@code catalogUri} is no connection string
     */
    public static ClusterIdCheck of(
            String catalogUri, @Nullable ObjectId shown, String failure, @Nullable SSLContext tls) {
        return of(shown(catalogUri, tls), new Shown(shown, failure));
    }

    private static ClusterIdCheck of(Shown catalog, Shown router) {
        if (catalog.id() == null || router.id() == null) {
            String where = catalog.id() == null ? "catalog.uri" : "the listener's upstream";
            String why = catalog.id() == null ? catalog.failure() : router.failure();
            return new ClusterIdCheck(
                    Outcome.UNKNOWN,
                    "clusterId: not readable through " + where + ": " + why
                            + " (expected: the same through catalog.uri and the listener's upstream; not checked)");
        }
        if (catalog.id().equals(router.id())) {
            return new ClusterIdCheck(Outcome.SAME, "");
        }
        return new ClusterIdCheck(
                Outcome.DIFFERENT,
                "clusterId: " + catalog.id() + " through catalog.uri, " + router.id()
                        + " through the listener's upstream"
                        + " (expected: the same; let catalog.uri name the config servers of the cluster behind the listener)");
    }

    private static Shown shown(String uri, @Nullable SSLContext tls) {
        try (CatalogSource source = MongoCatalogSource.open(uri, tls)) {
            ObjectId id = source.clusterId();
            return new Shown(id, "config.version has no clusterId");
        } catch (MongoCommandException e) {
            return new Shown(null, "the server answered " + e.getErrorCodeName() + ", code " + e.getErrorCode());
        } catch (MongoException | BSONException e) {
            // The message may quote hosts, users and options of the connection string.
            return new Shown(null, e.getClass().getSimpleName());
        }
    }
}
