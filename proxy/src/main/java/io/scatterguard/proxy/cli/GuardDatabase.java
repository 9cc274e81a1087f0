package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.config.UpstreamConfig.Kind;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.upstream.Deployment;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The database behind a {@link GuardedProxy}.
 *
 * @param upstream where it is, and what it is
 * @param uri how it was named; null for the embedded server
 * @param tls whether it is reached by TLS
 * @param hostnameCheck whether certificates are checked for names then
 * @param clients how clients of the proxy name it
 * @param embedded the server that ends with this; null where it is somebody else's
 */
record GuardDatabase(
        UpstreamConfig upstream,
        @Nullable SecretUri uri,
        boolean tls,
        boolean hostnameCheck,
        ClientUri clients,
        @Nullable EmbeddedServer embedded)
        implements AutoCloseable {
    /** An embedded server. */
    static GuardDatabase start() {
        EmbeddedServer server = EmbeddedServer.start(0);
        HostAndPort address = new HostAndPort("127.0.0.1", server.port());
        return new GuardDatabase(
                new UpstreamConfig(Kind.STANDALONE, List.of(address)), null, false, true, ClientUri.plain(), server);
    }

    /**
     * The database at {@code uri}, which is asked what it is.
     *
     * @param context how it is reached by TLS; null for what the JVM has
     * @param hostnameCheck whether certificates are to be checked for names
     * @throws IOException if it does not answer
     * @throws InputException if {@code uri} cannot be used
     */
    static GuardDatabase at(SecretUri uri, @Nullable SSLContext context, boolean hostnameCheck) throws IOException {
        Deployment found;
        try {
            found = Deployment.at(uri.reveal(), context, hostnameCheck);
        } catch (IllegalArgumentException e) {
            throw new InputException("--upstream: " + Redacted.of(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw new IOException(
                    "--upstream: " + uri + " cannot be asked what it is: "
                            + Redacted.of(String.valueOf(e.getMessage())),
                    e);
        }
        Kind kind = switch (found.kind()) {
            case ROUTER -> Kind.MONGOS;
            case REPLICA_SET -> Kind.REPLICA_SET;
            case STANDALONE -> Kind.STANDALONE;
        };
        List<HostAndPort> hosts = found.hosts().stream()
                .map(host -> new HostAndPort(host.getHostString(), host.getPort()))
                .toList();
        return new GuardDatabase(
                new UpstreamConfig(
                        kind,
                        kind == Kind.STANDALONE ? hosts.subList(0, 1) : hosts,
                        kind == Kind.REPLICA_SET && found.direct()),
                uri,
                found.tls(),
                found.hostnameCheck(),
                ClientUri.of(uri, found.authSource()),
                null);
    }

    @Override
    public void close() {
        if (embedded != null) {
            embedded.close();
        }
    }
}
