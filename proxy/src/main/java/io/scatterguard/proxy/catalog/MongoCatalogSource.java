package io.scatterguard.proxy.catalog;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterType;
import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config} database of a running cluster, through the MongoDB driver: from its config servers or from a
 * {@code mongos}. Reads are majority reads and go to the primary if there is one, unless the connection string says
 * otherwise. Documents are read as {@link BsonDocument}, which keeps the numeric types apart.
 */
public final class MongoCatalogSource implements CatalogSource {
    /** The name under which the connections appear in the server's logs. */
    public static final String APP_NAME = "scatterguard-catalog";

    /** How long a connection may take to be made. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** How long a query waits for a server it can be sent to. */
    public static final Duration SERVER_SELECTION_TIMEOUT = Duration.ofSeconds(5);

    /** How long one batch of a reply may take. */
    public static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    /** How long listing the views of one database may take. */
    public static final Duration VIEWS_TIMEOUT = Duration.ofSeconds(2);

    /** One for each thread that reads, and one for a batch that the driver abandoned. */
    static final int MAX_CONNECTIONS = CatalogReaders.THREADS + 2;

    private static final BsonInt32 ASCENDING = new BsonInt32(1);
    private static final BsonString VIEW = new BsonString("view");
    private static final BsonDocument ONLY_VIEWS = new BsonDocument("type", VIEW);
    private static final BsonDocument BY_ID = new BsonDocument("_id", ASCENDING);
    private static final BsonDocument BY_MIN = new BsonDocument("min", ASCENDING);
    private static final BsonDocument BY_VERSION = new BsonDocument("lastmod", ASCENDING);
    private static final BsonDocument BY_VERSION_DESCENDING = new BsonDocument("lastmod", new BsonInt32(-1));
    private static final BsonDocument ONLY_VERSION = BsonDocument.parse("{_id: 0, lastmod: 1}");
    /** The history is asked of every chunk, because also a single entry says from when on the chunk was where it is. */
    private static final BsonDocument ONLY_PLACEMENT =
            BsonDocument.parse("{_id: 0, min: 1, max: 1, shard: 1, lastmod: 1, history: 1}");

    private final MongoClient client;
    private final MongoDatabase config;

    private MongoCatalogSource(MongoClientSettings settings) {
        this.client = MongoClients.create(settings);
        this.config = client.getDatabase("config");
    }

    /**
     * A source for {@code uri}. Nothing is connected before the first query.
     *
     * @throws IllegalArgumentException if {@code uri} is not a connection string; the message never quotes a password
     */
    public static MongoCatalogSource open(String uri) {
        return open(uri, null);
    }

    /**
     * A source for {@code uri}, which uses {@code tls} if it says {@code tls=true}.
     *
     * @param tls null for what the JVM has
     * @throws IllegalArgumentException if {@code uri} is not a connection string; the message never quotes a password
     */
    public static MongoCatalogSource open(String uri, @Nullable SSLContext tls) {
        return new MongoCatalogSource(settings(uri, tls));
    }

    static MongoClientSettings settings(String uri) {
        return settings(uri, null);
    }

    static MongoClientSettings settings(String uri, @Nullable SSLContext tls) {
        ConnectionString parsed = parse(uri);
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .readConcern(ReadConcern.MAJORITY)
                .readPreference(ReadPreference.primaryPreferred())
                .applyToConnectionPoolSettings(pool -> pool.maxSize(MAX_CONNECTIONS))
                .applyToClusterSettings(cluster ->
                        cluster.serverSelectionTimeout(SERVER_SELECTION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                .applyToSocketSettings(
                        socket -> socket.connectTimeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                                .readTimeout(READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        // The connection string comes after our defaults, which it may override; the name is always ours.
        return settings.applyConnectionString(parsed)
                .applyToSslSettings(ssl -> ssl.context(tls))
                .applicationName(APP_NAME)
                .build();
    }

    /** The driver's own message may quote a piece of a password that is not percent-encoded, so it is not passed on. */
    private static ConnectionString parse(String uri) {
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException | MongoException e) {
            String detail = uri.indexOf('@') < 0
                    ? ": " + e.getMessage()
                    : " (percent-encode special characters of the user and the password; look at names and values of the options)";
            throw new IllegalArgumentException("catalog.uri: not a MongoDB connection string" + detail);
        }
    }

    @Override
    public List<BsonDocument> shards() {
        return all("shards");
    }

    @Override
    public List<BsonDocument> databases() {
        return all("databases");
    }

    @Override
    public List<BsonDocument> collections() {
        // Raw: of many thousand documents few have changed, which their bytes tell without a look at the fields.
        return new ArrayList<>(config.getCollection("collections", RawBsonDocument.class)
                .find()
                .sort(BY_ID)
                .into(new ArrayList<>()));
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        return collection("databases").find(byName(name)).first();
    }

    @Override
    public List<BsonDocument> collections(String database) {
        // The slash is the character after the dot: a range of the index, where a regex would have to be escaped.
        BsonDocument names =
                new BsonDocument("$gte", new BsonString(database + ".")).append("$lt", new BsonString(database + "/"));
        return collection("collections")
                .find(new BsonDocument("_id", names))
                .sort(BY_ID)
                .into(new ArrayList<>());
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        return collection("collections").find(byName(namespace.fullName())).first();
    }

    private static BsonDocument byName(String id) {
        return new BsonDocument("_id", new BsonString(id));
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks) {
        collection("chunks")
                .find(ofCollection(incarnation))
                .projection(ONLY_PLACEMENT)
                .sort(BY_MIN)
                .forEach(chunks);
    }

    /** The whole documents of the collection's chunks, ascending by {@code min}. */
    List<BsonDocument> wholeChunks(Incarnation incarnation) {
        return collection("chunks").find(ofCollection(incarnation)).sort(BY_MIN).into(new ArrayList<>());
    }

    /** The ids of the shards that own chunks of the collection, ascending: read from an index, whatever their number. */
    List<String> owners(Incarnation incarnation) {
        return collection("chunks")
                .distinct("shard", ofCollection(incarnation), String.class)
                .into(new TreeSet<>())
                .stream()
                .toList();
    }

    /** All documents of a collection of {@code config} that is not needed for routing. */
    List<BsonDocument> further(String name) {
        return all(name);
    }

    /** The server's release, for instance {@code 6.0.5}. */
    String serverVersion() {
        return client.getDatabase("admin")
                .runCommand(new BsonDocument("buildInfo", ASCENDING), BsonDocument.class)
                .getString("version")
                .getValue();
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        BsonDocument highest = collection("chunks")
                .find(ofCollection(incarnation))
                .projection(ONLY_VERSION)
                .sort(BY_VERSION_DESCENDING)
                .limit(1)
                .first();
        return highest == null ? ChunkVersion.NONE : version(highest);
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> chunks) {
        BsonTimestamp from = new BsonTimestamp(version.major(), version.minor());
        BsonDocument filter = ofCollection(incarnation).append("lastmod", new BsonDocument("$gte", from));
        collection("chunks")
                .find(filter)
                .projection(ONLY_PLACEMENT)
                .sort(BY_VERSION)
                .forEach(chunks);
    }

    private static BsonDocument ofCollection(Incarnation incarnation) {
        return new BsonDocument(incarnation.chunksField(), incarnation.chunksKey());
    }

    private static ChunkVersion version(BsonDocument chunk) {
        return ChunkVersion.of(ConfigFields.timestamp(chunk, "lastmod", "config.chunks"));
    }

    /** Config servers are a replica set; whatever else answers stands for the whole cluster. */
    @Override
    public boolean readsViews() {
        return client.getClusterDescription().getType() != ClusterType.REPLICA_SET;
    }

    @Override
    public List<BsonDocument> views(String database) {
        List<BsonDocument> views = new ArrayList<>();
        client.getDatabase(database)
                .listCollections(BsonDocument.class)
                .filter(ONLY_VIEWS)
                .maxTime(VIEWS_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .forEach(collection -> {
                    if (VIEW.equals(collection.get("type"))) {
                        views.add(view(database, collection));
                    }
                });
        return views;
    }

    /** The document that {@code system.views} holds of what {@code listCollections} shows. */
    private static BsonDocument view(String database, BsonDocument collection) {
        String name = ConfigFields.string(collection, "name", database + ": listCollections");
        BsonDocument view = new BsonDocument("_id", new BsonString(database + "." + name));
        view.putAll(ConfigFields.document(collection, "options", database + "." + name));
        return view;
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        return all("clusterParameters");
    }

    @Override
    public @Nullable ObjectId clusterId() {
        BsonDocument version = collection("version").find().first();
        BsonValue id = version == null ? null : version.get("clusterId");
        return id != null && id.isObjectId() ? id.asObjectId().getValue() : null;
    }

    private List<BsonDocument> all(String name) {
        return collection(name).find().sort(BY_ID).into(new ArrayList<>());
    }

    private MongoCollection<BsonDocument> collection(String name) {
        return config.getCollection(name, BsonDocument.class);
    }

    @Override
    public void close() {
        client.close();
    }
}
