package io.scatterguard.proxy.upstream;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a connection string.
 *
 * @param kind as it says itself
 * @param hosts those of the connection string, or of the DNS where that is asked; unresolved
 * @param tls whether they are reached by TLS
 * @param direct whether the one host is meant, whatever names a replica set's configuration has
 * @param hostnameCheck whether a certificate has to be for the name of its server
 * @param authSource the database that knows the user; null without a user
 */
public record Deployment(
        Kind kind,
        List<InetSocketAddress> hosts,
        boolean tls,
        boolean direct,
        boolean hostnameCheck,
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
     * @param hostnameCheck whether certificates are to be checked for names, unless the connection string says they are not
     * @throws IOException if nobody answers within 10 seconds; the message may hold what the connection string does
     * @throws IllegalArgumentException if it is no connection string; likewise
     */
    public static Deployment at(String uri, @Nullable SSLContext context, boolean hostnameCheck) throws IOException {
        ConnectionString parsed = new ConnectionString(uri);
        boolean checks = hostnameCheck && !Boolean.TRUE.equals(parsed.getSslInvalidHostnameAllowed());
        boolean tls = Boolean.TRUE.equals(parsed.getSslEnabled());
        MongoCredential credential = parsed.getCredential();
        try (MongoClient client = MongoClients.create(settings(parsed, tls ? context : null, checks))) {
            client.getDatabase("admin").runCommand(new Document("ping", 1));
            // What the driver knows from its handshake: servers before 4.4 have no command by the name of hello.
            List<ServerDescription> servers = client.getClusterDescription().getServerDescriptions();
            return new Deployment(
                    kind(servers),
                    addresses(parsed, servers).map(Deployment::unresolved).toList(),
                    tls,
                    isDirect(parsed),
                    checks,
                    credential == null ? null : credential.getSource());
        } catch (MongoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What stands in {@code mongodb+srv} is no server's name: the DNS has those. */
    private static Stream<ServerAddress> addresses(ConnectionString parsed, List<ServerDescription> servers) {
        return parsed.isSrvProtocol()
                ? servers.stream().map(ServerDescription::getAddress)
                : parsed.getHosts().stream().map(ServerAddress::new);
    }

    private static InetSocketAddress unresolved(ServerAddress address) {
        return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
    }

    private static Kind kind(List<ServerDescription> servers) {
        Set<ServerType> types = servers.stream().map(ServerDescription::getType).collect(Collectors.toSet());
        if (types.contains(ServerType.SHARD_ROUTER)) {
            return Kind.ROUTER;
        }
        return types.contains(ServerType.STANDALONE) ? Kind.STANDALONE : Kind.REPLICA_SET;
    }

    /** As the driver itself decides it. */
    private static boolean isDirect(ConnectionString parsed) {
        boolean alone = parsed.getHosts().size() == 1 && !parsed.isSrvProtocol();
        return alone
                && (Boolean.TRUE.equals(parsed.isDirectConnection()) || parsed.getRequiredReplicaSetName() == null);
    }

    private static MongoClientSettings settings(
            ConnectionString parsed, @Nullable SSLContext context, boolean hostnameCheck) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(parsed)
                .applicationName("scatterguard")
                .applyToSocketSettings(socket -> socket.connectTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .readTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        if (isDirect(parsed)) {
            settings.applyToClusterSettings(cluster -> cluster.mode(ClusterConnectionMode.SINGLE));
        }
        if (context != null) {
            settings.applyToSslSettings(ssl -> ssl.context(context));
        }
        settings.applyToSslSettings(ssl -> ssl.invalidHostNameAllowed(!hostnameCheck));
        return settings.build();
    }
}
