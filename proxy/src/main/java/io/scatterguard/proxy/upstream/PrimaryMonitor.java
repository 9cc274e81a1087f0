package io.scatterguard.proxy.upstream;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoSocketException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerMonitorListener;
import io.scatterguard.proxy.upstream.PrimaryTracker.Standing;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present primary of a replica set, as the MongoDB driver's monitors see it: from the seeds they find the members by the
 * names in the set's own configuration, and hold a connection to each, on threads of their own. Nothing is authenticated.
 */
public final class PrimaryMonitor implements Upstream {
    /** The name under which the monitors' connections appear in the servers' logs. */
    public static final String APP_NAME = "scatterguard-monitor";

    /**
     * How often each member is asked. One that streams its {@code hello} (4.4 or later) tells of a change at once, others are
     * found out by being asked.
     */
    public static final Duration HEARTBEAT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PrimaryMonitor.class);

    private final PrimaryTracker tracker = new PrimaryTracker();
    private final List<InetSocketAddress> seeds;
    private final MongoClient client;
    private volatile String status;

    private PrimaryMonitor(List<InetSocketAddress> seeds, MongoClientSettings.Builder settings) {
        this.seeds = List.copyOf(seeds);
        this.status = "nothing is known yet of " + text(seeds);
        this.client = MongoClients.create(
                settings.applyToClusterSettings(cluster -> cluster.addClusterListener(new Changes()))
                        .applyToServerSettings(server -> server.addServerMonitorListener(new Heartbeats()))
                        .build());
    }

    /**
     * Starts to watch.
     *
     * @param seeds members of the set, unresolved; at least one
     * @param direct whether the one seed is the primary, by this name and no other
     * @param tls null for plain connections
     * @param hostnameCheck whether a certificate must be for the name of its member
     * @param connectTimeout how long connecting to a member may take, and a member may take to answer
     */
    public static PrimaryMonitor start(
            List<InetSocketAddress> seeds,
            boolean direct,
            @Nullable SSLContext tls,
            boolean hostnameCheck,
            Duration connectTimeout) {
        ClusterConnectionMode mode = direct ? ClusterConnectionMode.SINGLE : ClusterConnectionMode.MULTIPLE;
        List<ServerAddress> hosts = seeds.stream()
                .map(seed -> new ServerAddress(seed.getHostString(), seed.getPort()))
                .toList();
        long timeoutMillis = connectTimeout.toMillis();
        return new PrimaryMonitor(
                seeds,
                MongoClientSettings.builder()
                        .applicationName(APP_NAME)
                        // Also with one seed: the others are found from it.
                        .applyToClusterSettings(cluster -> cluster.hosts(hosts).mode(mode))
                        .applyToServerSettings(
                                server -> server.heartbeatFrequency(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS))
                        .applyToSocketSettings(socket -> socket.connectTimeout(timeoutMillis, TimeUnit.MILLISECONDS))
                        .applyToSslSettings(
                                ssl -> ssl.enabled(tls != null).context(tls).invalidHostNameAllowed(!hostnameCheck)));
    }

    @Override
    public CompletableFuture<List<InetSocketAddress>> servers(int clientHash) {
        return tracker.servers();
    }

    @Override
    public Binding bind(InetSocketAddress server, LossListener listener) {
        return tracker.bind(server, listener);
    }

    @Override
    public String status() {
        return status;
    }

    @Override
    public void close() {
        client.close();
    }

    private void changed(ClusterDescription description) {
        InetSocketAddress before = tracker.primary();
        InetSocketAddress primary = primary(description);
        status = description.getServerDescriptions().stream()
                .map(PrimaryMonitor::text)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!Objects.equals(before, primary)) {
            LOG.info(
                    "primary changed: seeds=\"{}\" primary={} before={} members=\"{}\"",
                    text(seeds),
                    primary == null ? "none" : text(List.of(primary)),
                    before == null ? "none" : text(List.of(before)),
                    status);
        }
        tracker.update(primary, server -> standing(description, server));
    }

    private static @Nullable InetSocketAddress primary(ClusterDescription description) {
        for (ServerDescription server : description.getServerDescriptions()) {
            if (server.isPrimary() && server.getType() == ServerType.REPLICA_SET_PRIMARY) {
                return address(server.getAddress());
            }
        }
        return null;
    }

    private static Standing standing(ClusterDescription description, InetSocketAddress server) {
        for (ServerDescription one : description.getServerDescriptions()) {
            if (address(one.getAddress()).equals(server)) {
                if (one.getException() instanceof MongoSocketException) {
                    return Standing.UNREACHABLE;
                }
                return switch (one.getType()) {
                    case REPLICA_SET_PRIMARY -> Standing.PRIMARY;
                    case UNKNOWN -> Standing.UNKNOWN;
                    default -> Standing.OTHER;
                };
            }
        }
        return Standing.UNKNOWN;
    }

    private static InetSocketAddress address(ServerAddress address) {
        return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
    }

    private static String text(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(","));
    }

    private static String text(ServerDescription server) {
        Throwable failure = server.getException();
        return server.getAddress() + " " + server.getType()
                + (failure == null ? "" : " (" + failure.getClass().getSimpleName() + ")");
    }

    /** What the driver concludes from all members together, as one thread after the other says it. */
    private final class Changes implements ClusterListener {
        @Override
        public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
            changed(event.getNewDescription());
        }
    }

    /** What each member says itself, also where nothing has changed. */
    private final class Heartbeats implements ServerMonitorListener {
        @Override
        public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
            BsonDocument reply = event.getReply();
            boolean primary =
                    reply.getBoolean("isWritablePrimary", BsonBoolean.FALSE).getValue()
                            || reply.getBoolean("ismaster", BsonBoolean.FALSE).getValue();
            if (primary) {
                tracker.confirmed(address(event.getConnectionId().getServerId().getAddress()));
            }
        }
    }
}
