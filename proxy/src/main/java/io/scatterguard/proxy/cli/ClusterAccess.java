package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogReader;
import io.scatterguard.proxy.catalog.DatabaseReader;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.tls.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
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
        return new ClusterAccess(secret("--uri", uri, environment), null, "--uri", null);
    }

    /**
     * Likewise the connection string alone.
     *
     * @param option where it stands, for messages
     */
    static SecretUri secret(String option, String uri, Map<String, String> environment) {
        requireNoSecret(option, uri);
        return expanded(option, uri, environment);
    }

    /** @throws InputException if a password stands in {@code uri} itself */
    static void requireNoSecret(String option, String uri) {
        if (SECRET.matcher(REFERENCE.matcher(uri).replaceAll(REPLACED)).find()) {
            throw new InputException(option
                    + ": a password on the command line is seen by everybody who lists the processes"
                    + " (expected: a reference in its place, in single quotes:"
                    + " 'mongodb://user:${CATALOG_PASSWORD}@host/' or 'mongodb://user:${file:/run/secrets/catalog}@host/';"
                    + " or --config with catalog.uri)");
        }
    }

    /**
     * Likewise, of a connection string that nobody sees who should not.
     *
     * @throws InputException if it is none
     */
    static SecretUri expanded(String option, String uri, Map<String, String> environment) {
        try {
            return SecretUri.expanded(uri, environment, Path.of(""));
        } catch (IllegalArgumentException e) {
            throw new InputException(option + ": " + e.getMessage());
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
     * From the configuration of {@code serve}: its {@code catalog.uri}, or where it names none the upstream of the first
     * listener.
     *
     * @throws io.scatterguard.proxy.config.ConfigException if it cannot be used
     */
    static ClusterAccess databaseOfConfig(Path file) {
        ScatterguardConfig config = ConfigReader.read(file);
        CatalogConfig catalog = config.catalog().uri() == null
                ? CatalogConfig.through(
                        config.listeners().get(0).upstream(), config.server().tls())
                : config.catalog();
        return new ClusterAccess(
                catalog.requiredUri(),
                config.routerVersion(),
                "catalog.uri",
                TlsContexts.driverOnce(config.server().tls()));
    }

    /**
     * What {@code question} gets out of the cluster's metadata.
     *
     * @throws IOException if it cannot be read; the message names the hosts, never a user, a password or an option
     */
    <T> T ask(Function<CatalogReader, T> question) throws IOException {
        try (CatalogReader reader = opened(() -> CatalogReader.open(uri.reveal(), tls))) {
            return question.apply(reader);
        } catch (CatalogException e) {
            throw unreadable("the catalog", e);
        }
    }

    /**
     * What {@code question} gets out of the databases themselves.
     *
     * @throws IOException if they cannot be read; the message names the hosts, never a user, a password or an option
     */
    <T> T askDatabase(Function<DatabaseReader, T> question) throws IOException {
        try (DatabaseReader reader = opened(() -> DatabaseReader.open(uri.reveal(), tls))) {
            return question.apply(reader);
        } catch (CatalogException e) {
            throw unreadable("the database", e);
        }
    }

    private <R> R opened(Supplier<R> open) {
        try {
            return open.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw new InputException(
                    source.equals("--uri") ? message.replaceFirst("^catalog\\.uri:", "--uri:") : message);
        }
    }

    private IOException unreadable(String what, CatalogException e) {
        return new IOException(what + " cannot be read from " + uri + ": " + e.getMessage(), e);
    }
}
