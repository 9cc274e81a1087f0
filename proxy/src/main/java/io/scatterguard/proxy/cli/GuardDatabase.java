package io.scatterguard.proxy.cli;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.config.UpstreamConfig.Kind;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The database behind a {@link GuardedProxy}.
 *
 * @param upstream where it is, and what it is
 * @param uri how it was named; null for the embedded server
 * @param tls whether it is reached by TLS
 * @param clients how clients of the proxy name it
 * @param embedded the server that ends with this; null where it is somebody else's
 */
record GuardDatabase(
        UpstreamConfig upstream,
        @Nullable SecretUri uri,
        boolean tls,
        ClientUri clients,
        @Nullable EmbeddedServer embedded)
        implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 10;

    static GuardDatabase start() {
        EmbeddedServer server = EmbeddedServer.start(0);
        HostAndPort address = new HostAndPort("127.0.0.1", server.port());
        return new GuardDatabase(
                new UpstreamConfig(Kind.STANDALONE, List.of(address)), null, false, ClientUri.plain(), server);
    }

    /**
     * The database at {@code uri}, which is asked what it is.
     *
     * @param context how it is reached by TLS; null for what the JVM has
     * @throws IOException if it does not answer within 10 seconds
     * @throws InputException if {@code uri} cannot be used
     */
    static GuardDatabase at(SecretUri uri, @Nullable SSLContext context) throws IOException {
        ConnectionString parsed;
        try {
            parsed = new ConnectionString(uri.reveal());
        } catch (IllegalArgumentException e) {
            throw new InputException("--upstream: " + Redacted.of(String.valueOf(e.getMessage())));
        }
        boolean tls = Boolean.TRUE.equals(parsed.getSslEnabled());
        Kind kind = kind(uri, parsed, tls ? context : null);
        List<HostAndPort> hosts = parsed.getHosts().stream()
                .map(GuardDatabase::address)
                .limit(kind == Kind.STANDALONE ? 1 : Integer.MAX_VALUE)
                .toList();
        return new GuardDatabase(new UpstreamConfig(kind, hosts), uri, tls, ClientUri.of(uri, parsed), null);
    }

    private static HostAndPort address(String host) {
        ServerAddress address = new ServerAddress(host);
        return new HostAndPort(address.getHost(), address.getPort());
    }

    private static Kind kind(SecretUri uri, ConnectionString parsed, @Nullable SSLContext context) throws IOException {
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
                return Kind.MONGOS;
            }
            return hello.containsKey("setName") ? Kind.REPLICA_SET : Kind.STANDALONE;
        } catch (MongoException e) {
            throw new IOException(
                    "--upstream: " + uri + " does not answer within " + TIMEOUT_SECONDS + " s: "
                            + Redacted.of(String.valueOf(e.getMessage())),
                    e);
        }
    }

    @Override
    public void close() {
        if (embedded != null) {
            embedded.close();
        }
    }
}
