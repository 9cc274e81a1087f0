package io.scatterguard.proxy.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a configuration from YAML. Everything that is wrong with it is reported at once, with its key and line. */
public final class ConfigReader {
    private final List<ConfigError> errors = new ErrorList();

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
        return read(file, environment, read -> {});
    }

    /**
     * Likewise.
     *
     * @param reads is told every file that is read: {@code file}, and those it refers to, also when they are unusable
     */
    public static ScatterguardConfig read(Path file, Map<String, String> environment, Consumer<Path> reads) {
        reads.accept(file);
        String yaml;
        try {
            yaml = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        Path folder = file.toAbsolutePath().getParent();
        Expansion expansion = new Expansion(environment, folder == null ? file : folder, reads);
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
        // Of a file that is no YAML, nothing but that should be said.
        Optional<ScatterguardConfig> config =
                errors.stream().anyMatch(error -> error.path().isEmpty())
                        ? Optional.empty()
                        : config(Section.root(new Section.Context(expansion, errors), tree));
        if (!errors.isEmpty() || config.isEmpty()) {
            throw new ConfigException(source, errors);
        }
        return config.get();
    }

    private static Optional<ScatterguardConfig> config(Section root) {
        List<ListenerConfig> read = root.requiredChildren("listeners", "at least one, with upstream.hosts").stream()
                .map(ConnectionsReader::listener)
                .toList();
        List<ListenerConfig> listeners = read.isEmpty() ? List.of(ConnectionsReader.STAND_IN) : read;
        ServerConfig server = ConnectionsReader.server(root.child("server"));
        List<ShardingRule> rules = ShardingRulesReader.ofConfig(root);
        CatalogConfig catalog = catalog(root.child("catalog"), standardCatalog(listeners, server, rules));
        String cluster = root.text("cluster").orElse(ScatterguardConfig.DEFAULT_CLUSTER);
        Optional<String> routerVersion =
                root.text("routerVersion", ScatterguardConfig.RELEASE_EXPECTED, ScatterguardConfig::isRelease);
        Transport transport = root.choice("transport", Transport.class).orElse(Transport.AUTO);
        PolicyConfig policy = PolicyReader.policy(root.child("policy"));
        AuditConfig audit = AuditReader.audit(root.child("audit"));
        LimitsConfig limits = ConnectionsReader.limits(root.child("limits"));
        ObservationConfig observation = ObservationReader.observation(root);
        return root.build(() -> new ScatterguardConfig(
                cluster,
                listeners,
                server,
                catalog,
                rules,
                routerVersion.orElse(null),
                transport,
                policy,
                audit,
                limits,
                observation));
    }

    /** In front of what is not sharded, declared keys are all there is. */
    private static CatalogConfig standardCatalog(
            List<ListenerConfig> listeners, ServerConfig server, List<ShardingRule> rules) {
        boolean sharded =
                listeners.stream().anyMatch(listener -> listener.upstream().kind() == UpstreamConfig.Kind.MONGOS);
        return rules.isEmpty() || sharded
                ? CatalogConfig.through(listeners.get(0).upstream(), server.tls())
                : CatalogConfig.of(null);
    }

    private static CatalogConfig catalog(Section section, CatalogConfig standard) {
        Optional<SecretUri> uri = section.secret("uri", SecretUri.EXPECTED, SecretUri::of);
        return section.build(() -> new CatalogConfig(
                        uri.orElse(standard.uri()),
                        section.duration("refresh", standard.refresh()),
                        section.choice("onUnknown", CatalogConfig.OnUnknown.class)
                                .orElse(standard.onUnknown()),
                        section.choice("detail", CatalogConfig.Detail.class).orElse(standard.detail()),
                        section.duration("loadTimeout", standard.loadTimeout())))
                .orElse(standard);
    }
}
