package io.scatterguard.proxy.upstream;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a connection string.
 *
 * @param kind as it says itself
 * @param hosts those of the connection string, or of the DNS where that is asked; unresolved
 * @param tls whether they are reached by TLS
 * @param authSource the database that knows the user; null without a user
 */
public record Deployment(
        Kind kind,
        List<InetSocketAddress> hosts,
        boolean tls,
        @Nullable String authSource) {
    private static final int TIMEOUT_SECONDS = 10;

    /** What a deployment is. */
    public enum Kind {
        ROUTER,
        REPLICA_SET,
        STANDALONE
    }

    public Deployment {
        hosts = List.copyOf(hosts);
    }

    /**
     * Asks what is there.
     *
     * @param context how it is reached where the connection string says TLS; null for what the JVM has
     * @throws IOException if nobody answers within 10 seconds; the message may hold what the connection string does
     * @throws IllegalArgumentException if it is no connection string; likewise
     */
    public static Deployment at(String uri, @Nullable SSLContext context) throws IOException {
        ConnectionString parsed = new ConnectionString(uri);
        boolean tls = Boolean.TRUE.equals(parsed.getSslEnabled());
        MongoCredential credential = parsed.getCredential();
        return new Deployment(
                kind(parsed, tls ? context : null),
                parsed.getHosts().stream().map(Deployment::address).toList(),
                tls,
                credential == null ? null : credential.getSource());
    }

    private static InetSocketAddress address(String host) {
        ServerAddress address = new ServerAddress(host);
        return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
    }

    private static Kind kind(ConnectionString parsed, @Nullable SSLContext context) throws IOException {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(parsed)
                .applicationName("scatterguard")
                .applyToSocketSettings(socket -> socket.connectTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .readTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        if (parsed.getRequiredReplicaSetName() == null && parsed.getHosts().size() == 1) {
            settings.applyToClusterSettings(cluster -> cluster.mode(ClusterConnectionMode.SINGLE));
        }
        if (context != null) {
            settings.applyToSslSettings(ssl -> ssl.context(context));
        }
        try (MongoClient client = MongoClients.create(settings.build())) {
            Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
            if ("isdbgrid".equals(hello.getString("msg"))) {
                return Kind.ROUTER;
            }
            return hello.containsKey("setName") ? Kind.REPLICA_SET : Kind.STANDALONE;
        } catch (MongoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
