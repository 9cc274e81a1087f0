package io.scatterguard.proxy.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a configuration from YAML. Everything that is wrong with it is reported at once, with its key and line. */
public final class ConfigReader {
    private static final HostAndPort STAND_IN = new HostAndPort("localhost", 0);
    private static final HostAndPort LOCAL = new HostAndPort("localhost", UpstreamConfig.DEFAULT_PORT);

    private final List<ConfigError> errors = new ArrayList<>();

    private ConfigReader() {}

    /**
     * The configuration in {@code file}, with the process's environment.
     *
     * @throws ConfigException if it cannot be used
     */
    public static ScatterguardConfig read(Path file) {
        return read(file, System.getenv());
    }

    /**
     * The configuration in {@code file}; relative {@code ${file:…}} are relative to its folder.
     *
     * @param environment what {@code ${NAME}} refers to
     * @throws ConfigException if it cannot be used
     */
    public static ScatterguardConfig read(Path file, Map<String, String> environment) {
        String yaml;
        try {
            yaml = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        Path folder = file.toAbsolutePath().getParent();
        Expansion expansion = new Expansion(environment, folder == null ? file : folder);
        return new ConfigReader().read(yaml, file.toString(), expansion);
    }

    /**
     * The configuration in {@code yaml}; relative {@code ${file:…}} are relative to the working directory.
     *
     * @param environment what {@code ${NAME}} refers to
     * @throws ConfigException if it cannot be used
     */
    public static ScatterguardConfig read(String yaml, Map<String, String> environment) {
        return new ConfigReader().read(yaml, "text", new Expansion(environment, Path.of("")));
    }

    private static ConfigException unreadable(Path file, String problem) {
        return new ConfigException(file.toString(), List.of(new ConfigError("", 0, problem)));
    }

    private ScatterguardConfig read(String yaml, String source, Expansion expansion) {
        ConfigNode tree = YamlTree.parse(yaml, errors);
        Optional<ScatterguardConfig> config = Optional.empty();
        // Of a file that is no YAML, nothing but that should be said.
        if (errors.stream().noneMatch(error -> error.path().isEmpty())) {
            config = config(Section.root(new Section.Context(expansion, errors), tree));
        }
        if (!errors.isEmpty() || config.isEmpty()) {
            throw new ConfigException(source, errors);
        }
        return config.get();
    }

    private Optional<ScatterguardConfig> config(Section root) {
        String cluster = root.text("cluster").orElse(ScatterguardConfig.DEFAULT_CLUSTER);
        List<ListenerConfig> listeners =
                root.requiredChildren("listeners", "at least one, with upstream.hosts").stream()
                        .map(ConfigReader::listener)
                        .toList();
        PolicyConfig policy = PolicyReader.policy(root.child("policy"));
        AuditConfig audit = AuditReader.audit(root.child("audit"));
        LimitsConfig limits = limits(root.child("limits"));
        Optional<String> routerVersion = root.text("routerVersion");
        Optional<CatalogConfig> catalog = catalog(root.child("catalog"), listeners);
        if (catalog.isEmpty()) {
            return Optional.empty();
        }
        return root.build(() -> new ScatterguardConfig(
                cluster, listeners, catalog.get(), routerVersion.orElse(null), policy, audit, limits));
    }

    /** The listener, with stand-ins that collide with nothing for what is wrong, so that its neighbours are checked. */
    private static ListenerConfig listener(Section section) {
        HostAndPort bind = section.value("bind", "host:port", text -> HostAndPort.parse(text, -1))
                .orElse(section.has("bind") ? STAND_IN : ListenerConfig.DEFAULT_BIND);
        Optional<UpstreamConfig> upstream = section.require("upstream", "a mapping with hosts")
                ? upstream(section.child("upstream"))
                : Optional.empty();
        return new ListenerConfig(
                bind, upstream.orElse(new UpstreamConfig(UpstreamConfig.Kind.MONGOS, List.of(LOCAL))));
    }

    private static Optional<UpstreamConfig> upstream(Section section) {
        UpstreamConfig.Kind kind =
                section.choice("kind", UpstreamConfig.Kind.class, "replicaSet").orElse(UpstreamConfig.Kind.MONGOS);
        section.require("hosts", "at least one host:port");
        List<HostAndPort> hosts = section.values(
                "hosts",
                text -> "host:port, or host for port " + UpstreamConfig.DEFAULT_PORT,
                text -> HostAndPort.parse(text, UpstreamConfig.DEFAULT_PORT));
        return hosts.isEmpty() ? Optional.empty() : section.build(() -> new UpstreamConfig(kind, hosts));
    }

    /** Empty if there is neither a connection string nor a listener to take one from; that was reported by then. */
    private static Optional<CatalogConfig> catalog(Section section, List<ListenerConfig> listeners) {
        Optional<SecretUri> uri = section.secret("uri", SecretUri.EXPECTED, SecretUri::of)
                .or(() -> listeners.stream().findFirst().map(listener -> CatalogConfig.uriOf(listener.upstream())));
        Duration refresh = section.duration("refresh", CatalogConfig.DEFAULT_REFRESH);
        CatalogConfig.OnUnknown onUnknown =
                section.choice("onUnknown", CatalogConfig.OnUnknown.class).orElse(CatalogConfig.OnUnknown.ALLOW);
        return uri.flatMap(u -> section.build(() -> new CatalogConfig(u, refresh, onUnknown)));
    }

    private static LimitsConfig limits(Section section) {
        LimitsConfig standard = LimitsConfig.STANDARD;
        return section.build(() -> new LimitsConfig(
                        section.integer("maxConnections", standard.maxConnections()),
                        section.duration("firstByteTimeout", standard.firstByteTimeout()),
                        section.duration("connectTimeout", standard.connectTimeout()),
                        section.integer("maxInFlight", standard.maxInFlight()),
                        section.duration("shutdownGrace", standard.shutdownGrace())))
                .orElse(standard);
    }
}
