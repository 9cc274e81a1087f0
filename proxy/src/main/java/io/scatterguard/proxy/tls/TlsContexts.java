package io.scatterguard.proxy.tls;

import io.netty.handler.ssl.SslContext;
import io.scatterguard.proxy.config.ConfigError;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ListenerTlsConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.TlsIdentityConfig;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TLS contexts of one process, made of the files its configuration names and made anew when these change. */
public final class TlsContexts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);

    private static final String SERVER_TLS = "server.tls";

    private final SslContexts contexts;
    private final Map<String, Instant> certificateEnds = new ConcurrentHashMap<>();
    private final List<@Nullable Reloaded<SslContext>> listeners = new ArrayList<>();
    private @Nullable Reloaded<ServerSide> servers;
    private @Nullable ScheduledExecutorService watcher;

    private TlsContexts(TlsOptions options) {
        this.contexts = new SslContexts(options.provider());
    }

    /**
     * Reads all files, and looks at them again from now on if there are any.
     *
     * @throws ConfigException if a file cannot be used; it names all of them
     */
    public static TlsContexts open(ScatterguardConfig config, TlsOptions options) {
        TlsContexts opened = openOnce(config, options);
        List<Reloaded<?>> watched = new ArrayList<>();
        opened.listeners.stream().filter(listener -> listener != null).forEach(watched::add);
        if (opened.servers != null) {
            watched.add(opened.servers);
        }
        if (!watched.isEmpty()) {
            LOG.info("TLS: provider={}", options.described());
            opened.watch(watched, options.reloadInterval().toMillis());
        }
        return opened;
    }

    private static TlsContexts openOnce(ScatterguardConfig config, TlsOptions options) {
        // Read by the JVM when it first does TLS: a client could otherwise make it work by renegotiating for ever.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        TlsContexts opened = new TlsContexts(options);
        List<ConfigError> errors = new ArrayList<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerTlsConfig tls = config.listeners().get(i).tls();
            String name = "listeners[" + i + "].tls";
            opened.listeners.add(
                    tls == null ? null : load(errors, name, paths(tls), files -> opened.clients(name, tls, files)));
        }
        ServerTlsConfig tls = config.server().tls();
        if (tls != null) {
            opened.servers = load(errors, SERVER_TLS, paths(tls), files -> opened.servers(tls, files));
        }
        requireNone(errors);
        return opened;
    }

    /**
     * For the driver of a command that ends soon: {@code tls} as its files are now; null without any.
     *
     * @throws ConfigException if a file cannot be used
     */
    public static @Nullable SSLContext driverOnce(@Nullable ServerTlsConfig tls) {
        if (tls == null) {
            return null;
        }
        TlsContexts opened = new TlsContexts(TlsOptions.standard());
        List<ConfigError> errors = new ArrayList<>();
        opened.servers = load(errors, SERVER_TLS, paths(tls), files -> opened.servers(tls, files));
        requireNone(errors);
        return opened.driver();
    }

    private static void requireNone(List<ConfigError> errors) {
        if (!errors.isEmpty()) {
            throw new ConfigException("of TLS", errors);
        }
    }

    private static <T> @Nullable Reloaded<T> load(
            List<ConfigError> errors, String name, Map<String, Path> paths, Reloaded.Loader<T> loader) {
        try {
            return new Reloaded<>(name, paths, loader);
        } catch (TlsException e) {
            errors.add(new ConfigError(name + "." + e.key(), 0, String.valueOf(e.getMessage())));
            return null;
        }
    }

    private void watch(List<Reloaded<?>> watched, long intervalMillis) {
        ScheduledExecutorService created = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "scatterguard-tls");
            thread.setDaemon(true);
            return thread;
        });
        created.scheduleWithFixedDelay(() -> lookAt(watched), intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
        watcher = created;
    }

    private static void lookAt(List<Reloaded<?>> watched) {
        for (Reloaded<?> one : watched) {
            try {
                one.look();
            } catch (RuntimeException e) {
                LOG.error("internal error while looking at TLS files", e);
            }
        }
    }

    /** The present context of the listener at {@code index} of the configuration; null if it is not encrypted. */
    public @Nullable Supplier<SslContext> listener(int index) {
        return listeners.get(index);
    }

    /** The present context for connections to servers; null if they are not encrypted. */
    public @Nullable Supplier<SslContext> servers() {
        Reloaded<ServerSide> side = servers;
        return side == null ? null : () -> side.get().context();
    }

    /** For the driver, which reads the metadata; follows changes of the files by itself; null without {@code server.tls}. */
    public @Nullable SSLContext driver() {
        return servers == null ? null : ServerSide.forDriver(servers);
    }

    private static Map<String, Path> paths(ListenerTlsConfig tls) {
        Map<String, Path> paths = paths(tls.identity());
        if (tls.clientCa() != null) {
            paths.put("clientCa", tls.clientCa());
        }
        return paths;
    }

    private static Map<String, Path> paths(ServerTlsConfig tls) {
        Map<String, Path> paths = tls.identity() == null ? new HashMap<>() : paths(tls.identity());
        if (tls.ca() != null) {
            paths.put("ca", tls.ca());
        }
        return paths;
    }

    private static Map<String, Path> paths(TlsIdentityConfig identity) {
        Map<String, Path> paths = new HashMap<>();
        paths.put("certificate", identity.certificate());
        if (identity.key() != null) {
            paths.put("key", identity.key());
        }
        return paths;
    }

    /**
     * When the certificates that we show end, the first of each chain to do so, by the section of the configuration that names
     * them; those of the present files.
     */
    public Map<String, Instant> certificateEnds() {
        return Map.copyOf(certificateEnds);
    }

    private void inUse(String section, TlsIdentity identity) {
        identity.chain().stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .ifPresent(end -> certificateEnds.put(section, end));
    }

    private SslContext clients(String section, ListenerTlsConfig tls, Map<String, TlsFile> files) throws TlsException {
        TlsFile ca = files.get("clientCa");
        TlsIdentity identity = identity(files, tls.identity().keyPassword());
        SslContext context = contexts.forClients(tls, identity, ca == null ? List.of() : noticed(Certificates.all(ca)));
        inUse(section, identity);
        return context;
    }

    private ServerSide servers(ServerTlsConfig tls, Map<String, TlsFile> files) throws TlsException {
        TlsFile ca = files.get("ca");
        var trust = TrustManagers.trusting(ca == null ? null : noticed(Certificates.all(ca)));
        TlsIdentity identity =
                tls.identity() == null ? null : identity(files, tls.identity().keyPassword());
        ServerSide side = new ServerSide(
                contexts.forServers(tls, identity, trust),
                trust,
                identity == null ? null : TrustManagers.showing(identity));
        if (identity != null) {
            inUse(SERVER_TLS, identity);
        }
        return side;
    }

    private static TlsIdentity identity(Map<String, TlsFile> files, @Nullable Secret password) throws TlsException {
        TlsFile certificate = files.get("certificate");
        if (certificate == null) {
            throw new IllegalStateException("no certificate among " + files.values());
        }
        TlsIdentity identity = TlsIdentity.read(certificate, files.get("key"), password);
        noticed(identity.chain());
        return identity;
    }

    private static List<X509Certificate> noticed(List<X509Certificate> certificates) {
        for (X509Certificate certificate : certificates) {
            Certificates.notice(certificate, Instant.now()).ifPresent(LOG::warn);
        }
        return certificates;
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.shutdownNow();
        }
    }
}
