package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogReader;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.tls.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a running cluster's catalog is read by a command of the command line.
 *
 * @param uri the connection string
 * @param routerVersion the router's release that the configuration names; null for none
 * @param source where the connection string stands, for messages: {@code --uri} or {@code catalog.uri}
 * @param tls how a server is reached whose connection string says {@code tls=true}; null for what the JVM has
 */
record ClusterAccess(
        SecretUri uri,
        @Nullable String routerVersion,
        String source,
        @Nullable SSLContext tls) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}]*}");

    /** Stands for a reference, and can stand in no connection string. */
    private static final String REPLACED = "\u0001";

    /** A secret that stands there itself: after the user's colon, or as an option. */
    private static final Pattern SECRET = Pattern.compile("://[^@/?:]*:(?!" + REPLACED + "@)[^@]*@"
            + "|(?i)[?&][^=&]*(?:password|token)[^=&]*=(?!" + REPLACED + "(?:&|$))"
            + "|_TOKEN:(?!" + REPLACED + "(?:[,&]|$))");

    /**
     * From {@code --uri}, in which {@code ${NAME}} and {@code ${file:…}} are replaced.
     *
     * @throws InputException if it is no connection string, or holds a password itself: whoever lists the processes of
     *     this machine would see it
     */
    static ClusterAccess ofUri(String uri, Map<String, String> environment) {
        if (SECRET.matcher(REFERENCE.matcher(uri).replaceAll(REPLACED)).find()) {
            throw new InputException(
                    "--uri: a password on the command line is seen by everybody who lists the processes"
                            + " (expected: a reference in its place, in single quotes:"
                            + " 'mongodb://user:${CATALOG_PASSWORD}@host/' or 'mongodb://user:${file:/run/secrets/catalog}@host/';"
                            + " or --config with catalog.uri)");
        }
        try {
            return new ClusterAccess(SecretUri.expanded(uri, environment, Path.of("")), null, "--uri", null);
        } catch (IllegalArgumentException e) {
            throw new InputException("--uri: " + e.getMessage());
        }
    }

    /**
     * From the configuration of {@code serve}: its {@code catalog.uri}.
     *
     * @throws io.scatterguard.proxy.config.ConfigException if it cannot be used
     */
    static ClusterAccess ofConfig(Path file) {
        return of(ConfigReader.read(file));
    }

    /**
     * As {@link #ofConfig}, of a configuration that is read.
     *
     * @throws InputException if it names no cluster, in front of what is not sharded
     */
    static ClusterAccess of(ScatterguardConfig config) {
        if (config.catalog().uri() == null) {
            throw new InputException("--config: no catalog.uri, and in front of what is not sharded there is no other"
                    + " (expected: the catalog.uri of a cluster)");
        }
        return new ClusterAccess(
                config.catalog().requiredUri(),
                config.routerVersion(),
                "catalog.uri",
                TlsContexts.driverOnce(config.server().tls()));
    }

    /**
     * What {@code question} gets out of the cluster.
     *
     * @throws IOException if it cannot be read; the message names the hosts, never a user, a password or an option
     */
    <T> T ask(Function<CatalogReader, T> question) throws IOException {
        CatalogReader opened;
        try {
            opened = CatalogReader.open(uri.reveal(), tls);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw new InputException(
                    source.equals("--uri") ? message.replaceFirst("^catalog\\.uri:", "--uri:") : message);
        }
        try (CatalogReader reader = opened) {
            return question.apply(reader);
        } catch (CatalogException e) {
            throw new IOException("the catalog cannot be read from " + uri + ": " + e.getMessage(), e);
        }
    }
}
