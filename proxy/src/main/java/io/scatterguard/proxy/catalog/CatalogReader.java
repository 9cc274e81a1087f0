package io.scatterguard.proxy.catalog;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoTimeoutException;
import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalog of a running cluster once, for the command line. It blocks. Whatever fails is a
 * {@link CatalogException} whose message quotes nothing of the connection string.
 */
public final class CatalogReader implements AutoCloseable {
    private final MongoCatalogSource source;
    private final List<String> leftOut = new ArrayList<>();

    private CatalogReader(MongoCatalogSource source) {
        this.source = source;
    }

    /**
     * A reader of {@code uri}, which uses {@code tls} (null for what the JVM has) if it says {@code tls=true}.
     *
     * @throws IllegalArgumentException if {@code uri} is not a connection string; the message never quotes a password
     */
    public static CatalogReader open(String uri, @Nullable SSLContext tls) {
        return new CatalogReader(MongoCatalogSource.open(uri, tls));
    }

    /** The catalog as the proxy would load it, with the chunks of the {@code wanted} collections only. */
    public CatalogLoad load(Predicate<Namespace> wanted) {
        return asked(() -> new CatalogLoader(new SelectedCollections(source, wanted), Clock.systemUTC()).load());
    }

    /** The release of the server that answers, for instance {@code 6.0.5}. */
    public String serverVersion() {
        return asked(source::serverVersion);
    }

    /**
     * The raw documents: all shards, and of the {@code wanted} collections, and the views on them, the rest. Views, zones and
     * cluster parameters are left out where they may not be read, see {@link #leftOut()}.
     */
    public RawCatalog dump(Predicate<Namespace> wanted) {
        return asked(() -> read(wanted));
    }

    private RawCatalog read(Predicate<Namespace> wanted) {
        List<BsonDocument> shards = source.shards();
        List<BsonDocument> databases = source.databases();
        DumpedViews views = DumpedViews.read(source, databases, wanted, leftOut);
        Predicate<Namespace> all = wanted.or(views.underlying()::contains);
        List<BsonDocument> collections = new ArrayList<>();
        List<BsonDocument> chunks = new ArrayList<>();
        for (BsonDocument collection : new SelectedCollections(source, all).collections()) {
            collections.add(readUntilStable(collection, chunks));
        }
        List<BsonDocument> tags =
                further("tags").stream().filter(tag -> isWanted(tag, all)).toList();
        List<BsonDocument> parameters = further("clusterParameters");
        return new RawCatalog(shards, databases, collections, chunks, tags, views.documents(), parameters);
    }

    /** As {@link #dump}, but of the chunks only who owns them; zones and cluster parameters are not asked for. */
    public OwnedCatalog owned(Predicate<Namespace> wanted) {
        return asked(() -> readOwned(wanted));
    }

    private OwnedCatalog readOwned(Predicate<Namespace> wanted) {
        List<BsonDocument> shards = source.shards();
        List<BsonDocument> databases = source.databases();
        DumpedViews views = DumpedViews.read(source, databases, wanted, leftOut);
        Predicate<Namespace> all = wanted.or(views.underlying()::contains);
        List<BsonDocument> collections = new SelectedCollections(source, all).collections();
        Map<Namespace, List<String>> owners = new HashMap<>();
        collections.stream().filter(CollectionDocument::isTracked).forEach(c -> addOwners(c, owners));
        return new OwnedCatalog(
                new RawCatalog(shards, databases, collections, List.of(), List.of(), views.documents(), List.of()),
                owners);
    }

    private void addOwners(BsonDocument collection, Map<Namespace, List<String>> owners) {
        Incarnation incarnation;
        try {
            incarnation = Incarnation.of(collection);
            incarnation.chunksKey();
        } catch (CatalogException e) {
            return; // Its chunks cannot be found; whoever uses the collection is told why.
        }
        owners.put(incarnation.namespace(), source.owners(incarnation));
    }

    /**
     * Adds the chunks of a collection and returns its document. The reading is no snapshot: where a chunk moved meanwhile it
     * is read again.
     */
    private BsonDocument readUntilStable(BsonDocument first, List<BsonDocument> chunks) {
        BsonDocument document = first;
        List<BsonDocument> read = List.of();
        for (int i = 0; i < TableLoader.MAX_READS; i++) {
            Incarnation incarnation;
            try {
                incarnation = Incarnation.of(document);
                incarnation.chunksKey();
            } catch (CatalogException e) {
                return document; // Its chunks cannot be found; whoever reads the dump is told why.
            }
            ChunkVersion before = source.highestVersion(incarnation);
            read = source.wholeChunks(incarnation);
            BsonDocument after = source.collection(incarnation.namespace());
            boolean stable = document.equals(after) && before.equals(source.highestVersion(incarnation));
            if (stable || after == null) {
                break;
            }
            document = after;
        }
        chunks.addAll(read);
        return document;
    }

    private static boolean isWanted(BsonDocument tag, Predicate<Namespace> wanted) {
        BsonValue ns = tag.get("ns");
        return ns != null
                && ns.isString()
                && wanted.test(Namespace.parse(ns.asString().getValue()));
    }

    /** What is of no use for routing does not have to be readable. */
    private List<BsonDocument> further(String name) {
        try {
            return source.further(name);
        } catch (MongoCommandException e) {
            leftOut.add("config." + name + " was left out: " + e.getErrorCodeName());
            return List.of();
        }
    }

    /** What the last {@link #dump} left out, one line each. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    private static <T> T asked(Supplier<T> question) {
        return asked(question, "docs/catalog.md");
    }

    /** What {@code question} returns; {@code page} says what the user must be allowed to read. */
    static <T> T asked(Supplier<T> question, String page) {
        try {
            return question.get();
        } catch (MongoCommandException e) {
            throw new CatalogException("the server answered " + e.getErrorCodeName() + " (" + e.getErrorCode() + "); "
                    + page + " says what the user must be allowed to read");
        } catch (MongoTimeoutException e) {
            throw new CatalogException("no server could be reached, or none lets this user in"
                    + " (check hosts, TLS options, user and password)");
        } catch (MongoSecurityException e) {
            throw new CatalogException("authentication failed (check user, password and authSource)");
        } catch (MongoException e) {
            // The driver's message may quote hosts, users and options of the connection string.
            throw new CatalogException(e.getClass().getSimpleName());
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
