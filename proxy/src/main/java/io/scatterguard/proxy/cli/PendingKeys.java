package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which keys of a configuration take effect while the process runs, and which wait for a start. */
final class PendingKeys {
    /** What takes effect at once: each key with all that is under it. {@code docs/configuration.md} lists the same ones. */
    static final List<String> LIVE = List.of(
            "policy",
            "listeners[].mode",
            "catalog.onUnknown",
            "shardingRules",
            "shardingRulesFile",
            "audit",
            "admin.token");

    private PendingKeys() {}

    /** The top-level keys in which {@code changed} asks for what only a start can do. */
    static List<String> of(ScatterguardConfig started, ScatterguardConfig changed) {
        List<String> keys = new ArrayList<>();
        differ(keys, "cluster", started.cluster(), changed.cluster());
        differ(keys, "listeners", withoutModes(started), withoutModes(changed));
        differ(keys, "server", started.server(), changed.server());
        differ(keys, "catalog", withoutOnUnknown(started.catalog()), withoutOnUnknown(changed.catalog()));
        differ(keys, "routerVersion", started.routerVersion(), changed.routerVersion());
        differ(keys, "transport", started.transport(), changed.transport());
        differ(keys, "metrics", metrics(started.observation()), metrics(changed.observation()));
        differ(
                keys,
                "tracing",
                started.observation().tracing(),
                changed.observation().tracing());
        differ(
                keys,
                "health",
                started.observation().health(),
                changed.observation().health());
        differ(keys, "admin", withoutToken(started), withoutToken(changed));
        differ(keys, "limits", started.limits(), changed.limits());
        return List.copyOf(keys);
    }

    private static List<@Nullable Object> metrics(ObservationConfig observation) {
        return Arrays.asList(observation.topNamespaces(), observation.push());
    }

    private static void differ(List<String> keys, String key, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            keys.add(key);
        }
    }

    private static List<ListenerConfig> withoutModes(ScatterguardConfig config) {
        return config.listeners().stream()
                .map(listener -> listener.withMode(null))
                .toList();
    }

    private static CatalogConfig withoutOnUnknown(CatalogConfig catalog) {
        return new CatalogConfig(
                catalog.uri(),
                catalog.refresh(),
                CatalogConfig.OnUnknown.ALLOW,
                catalog.detail(),
                catalog.loadTimeout());
    }

    private static @Nullable HostAndPort withoutToken(ScatterguardConfig config) {
        ObservationConfig.Admin admin = config.observation().admin();
        return admin == null ? null : admin.bind();
    }
}
