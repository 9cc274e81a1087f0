package io.scatterguard.proxy.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of one process, which serves one cluster.
 *
 * @param cluster the name on every record and metric
 * @param listeners at least one
 * @param catalog where the metadata comes from
 * @param routerVersion the router's release to assume, as {@code major.minor}; null for what each server says in its hello
 * @param policy what is done with which commands
 * @param audit what is recorded
 * @param limits bounds
 */
public record ScatterguardConfig(
        String cluster,
        List<ListenerConfig> listeners,
        CatalogConfig catalog,
        @Nullable String routerVersion,
        PolicyConfig policy,
        AuditConfig audit,
        LimitsConfig limits) {
    public static final String DEFAULT_CLUSTER = "default";

    private static final Pattern RELEASE = Pattern.compile("\\d{1,3}\\.\\d{1,3}");

    public ScatterguardConfig {
        listeners = List.copyOf(listeners);
        Requirements requirements = new Requirements()
                .line("cluster", cluster)
                .that(!listeners.isEmpty(), "listeners", "none (expected: at least one, with upstream.hosts)")
                .that(
                        routerVersion == null || RELEASE.matcher(routerVersion).matches(),
                        "routerVersion",
                        Quoting.quoted(String.valueOf(routerVersion)) + " (expected: major.minor, like 6.0)");
        Set<HostAndPort> binds = new HashSet<>();
        for (int i = 0; i < listeners.size(); i++) {
            HostAndPort bind = listeners.get(i).bind();
            requirements.that(
                    bind.port() == 0 || binds.add(bind),
                    "listeners[" + i + "].bind",
                    Quoting.quoted(bind.toString()) + " is used twice (expected: a different one for each)");
        }
        requirements.check();
    }

    /** The defaults in front of {@code upstream}. */
    public static ScatterguardConfig inFrontOf(UpstreamConfig upstream) {
        return new ScatterguardConfig(
                DEFAULT_CLUSTER,
                List.of(new ListenerConfig(ListenerConfig.DEFAULT_BIND, upstream)),
                CatalogConfig.through(upstream),
                null,
                PolicyConfig.standard(),
                AuditConfig.standard(),
                LimitsConfig.STANDARD);
    }
}
