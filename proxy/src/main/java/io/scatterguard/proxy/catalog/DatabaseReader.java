package io.scatterguard.proxy.catalog;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a database says of its collections, for the command line: options, indexes, and of documents only the fields
 * that are named. It blocks and never writes. Whatever fails is a {@link CatalogException} whose message quotes nothing of
 * the connection string.
 */
public final class DatabaseReader implements AutoCloseable {
    /** How long the server may take for one sample; a small sample of a large collection takes milliseconds. */
    public static final Duration SAMPLE_TIMEOUT = Duration.ofSeconds(20);

    private static final String PRIVILEGES = "docs/rules-validate.md";
    private static final String MULTIKEY = "isMultiKey";
    private static final int MAX_PLAN_DEPTH = 50;
    private static final int NAMESPACE_NOT_FOUND = 26;
    private static final int UNAUTHORIZED = 13;
    private static final BsonInt32 YES = new BsonInt32(1);
    private static final BsonInt32 NO = new BsonInt32(0);
    private static final BsonDocument ONLY_ID = new BsonDocument("_id", YES);

    private final MongoClient client;

    private DatabaseReader(MongoClient client) {
        this.client = client;
    }

    /**
     * A reader of {@code uri}, which uses {@code tls} (null for what the JVM has) if it says {@code tls=true}.
     *
     * @throws IllegalArgumentException if {@code uri} is not a connection string; the message never quotes a password
     */
    public static DatabaseReader open(String uri, @Nullable SSLContext tls) {
        return new DatabaseReader(MongoClients.create(MongoCatalogSource.settings(uri, tls)));
    }

    /** Whether a config server answers; it holds metadata and none of the collections. */
    public boolean isConfigServer() {
        return asked(() -> command("admin", new BsonDocument("isMaster", YES)).containsKey("configsvr"));
    }

    /** What {@code listCollections} shows of one collection or view, empty if there is none of this name. */
    public Optional<BsonDocument> listed(Namespace namespace) {
        BsonString name = new BsonString(namespace.collection());
        List<BsonDocument> found = asked(() -> client.getDatabase(namespace.database())
                .listCollections(BsonDocument.class)
                .filter(new BsonDocument("name", name))
                .into(new ArrayList<>()));
        return found.stream()
                .filter(collection -> name.equals(collection.get("name")))
                .findFirst();
    }

    /** What {@code listIndexes} shows of a collection. */
    public List<BsonDocument> indexes(Namespace namespace) {
        return asked(() -> {
            try {
                return collection(namespace).listIndexes(BsonDocument.class).into(new ArrayList<>());
            } catch (MongoCommandException e) {
                if (e.getErrorCode() == NAMESPACE_NOT_FOUND) {
                    return List.of();
                }
                throw e;
            }
        });
    }

    /**
     * Whether an index has an array in any of its fields, in any document; empty if the server does not tell. Asks for the
     * plan of a read over the index, which is not executed.
     */
    public Optional<Boolean> isMultikey(Namespace namespace, String index) {
        BsonDocument find = new BsonDocument("find", new BsonString(namespace.collection()))
                .append("filter", new BsonDocument())
                .append("hint", new BsonString(index));
        BsonDocument explain = new BsonDocument("explain", find).append("verbosity", new BsonString("queryPlanner"));
        return asked(() -> {
            try {
                return multikey(command(namespace.database(), explain), 0);
            } catch (MongoCommandException e) {
                return Optional.empty();
            }
        });
    }

    /** What the stages of a plan, on whatever shards, say together. */
    static Optional<Boolean> multikey(BsonValue plan, int depth) {
        if (depth > MAX_PLAN_DEPTH) {
            return Optional.empty();
        }
        Optional<Boolean> known = Optional.empty();
        for (BsonValue value : inside(plan)) {
            Optional<Boolean> further = multikey(value, depth + 1);
            if (further.isPresent() && !known.orElse(false)) {
                known = further;
            }
        }
        BsonValue own = plan.isDocument() ? plan.asDocument().get(MULTIKEY) : null;
        return own == null || !own.isBoolean() || known.orElse(false)
                ? known
                : Optional.of(own.asBoolean().getValue());
    }

    private static List<BsonValue> inside(BsonValue plan) {
        if (plan.isDocument()) {
            return new ArrayList<>(plan.asDocument().values());
        }
        return plan.isArray() ? plan.asArray() : List.of();
    }

    /** Whether a collection has no document. */
    public boolean isEmpty(Namespace namespace) {
        return asked(
                () -> collection(namespace).find().projection(ONLY_ID).limit(1).first() == null);
    }

    /** The document of {@code config.collections}, empty if there is none or it may not be read. */
    public Optional<BsonDocument> sharded(Namespace namespace) {
        BsonDocument byName = new BsonDocument("_id", new BsonString(namespace.fullName()));
        return asked(() -> {
            try {
                return Optional.ofNullable(collection(new Namespace("config", "collections"))
                        .find(byName)
                        .first());
            } catch (MongoCommandException e) {
                if (e.getErrorCode() == UNAUTHORIZED) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /**
     * Gives documents at random to {@code documents}, with nothing but the fields at {@code paths}.
     *
     * @param size how many at most, from 1 on
     */
    public void sample(Namespace namespace, List<String> paths, int size, Consumer<BsonDocument> documents) {
        BsonDocument fields = new BsonDocument("_id", paths.contains("_id") ? YES : NO);
        paths.forEach(path -> fields.append(path, YES));
        List<BsonDocument> pipeline = List.of(
                new BsonDocument("$sample", new BsonDocument("size", new BsonInt32(size))),
                new BsonDocument("$project", fields));
        asked(() -> {
            collection(namespace)
                    .aggregate(pipeline)
                    .maxTime(SAMPLE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .forEach(documents);
            return BsonBoolean.TRUE;
        });
    }

    private BsonDocument command(String database, BsonDocument command) {
        return client.getDatabase(database).runCommand(command, BsonDocument.class);
    }

    private MongoCollection<BsonDocument> collection(Namespace namespace) {
        return client.getDatabase(namespace.database()).getCollection(namespace.collection(), BsonDocument.class);
    }

    private static <T> T asked(Supplier<T> question) {
        return CatalogReader.asked(question, PRIVILEGES);
    }

    @Override
    public void close() {
        client.close();
    }
}
