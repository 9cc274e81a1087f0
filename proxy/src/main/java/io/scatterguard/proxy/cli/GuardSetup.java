package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link GuardedProxy} stands in front of, and by what it judges.
 *
 * @param upstream the connection string of a database, {@code ${NAME}} and {@code ${file:…}} in the place of passwords; null for
 *     an embedded server
 * @param rules declared shard keys; null for none besides those of {@code config}
 * @param config a configuration whose policy, declared keys, limits and TLS towards servers count; null for refusing every
 *     certain scatter-gather
 * @param mode {@code OBSERVE} says what would be refused, {@code ENFORCE} refuses it
 * @param onUnknown what becomes of a namespace whose metadata cannot be read
 * @param baseline shapes that are known
 * @param routerVersion the release to judge by, {@code major.minor}; null for that of the database
 * @param audit where every routed command is recorded; null for nowhere
 * @param api whether the API listens on a free loopback port, with a token of its own
 */
public record GuardSetup(
        @Nullable String upstream,
        @Nullable Path rules,
        @Nullable Path config,
        Mode mode,
        OnUnknown onUnknown,
        List<BaselineEntry> baseline,
        @Nullable String routerVersion,
        @Nullable Path audit,
        boolean api) {
    public GuardSetup {
        baseline = List.copyOf(baseline);
    }

    /** Without the connection string, which may hold a password before anybody has looked. */
    @Override
    public String toString() {
        return "GuardSetup[upstream=" + (upstream == null ? "embedded" : "***") + ", rules=" + rules + ", config="
                + config + ", mode=" + mode.text() + "]";
    }

    /** In front of an embedded server, observing; without a key nothing is judged. */
    public static GuardSetup standard() {
        return new GuardSetup(null, null, null, Mode.OBSERVE, OnUnknown.REFUSE, List.of(), null, null, false);
    }

    public GuardSetup withUpstream(@Nullable String other) {
        return new GuardSetup(other, rules, config, mode, onUnknown, baseline, routerVersion, audit, api);
    }

    public GuardSetup withRules(@Nullable Path other) {
        return new GuardSetup(upstream, other, config, mode, onUnknown, baseline, routerVersion, audit, api);
    }

    public GuardSetup withConfig(@Nullable Path other) {
        return new GuardSetup(upstream, rules, other, mode, onUnknown, baseline, routerVersion, audit, api);
    }

    public GuardSetup withMode(Mode other) {
        return new GuardSetup(upstream, rules, config, other, onUnknown, baseline, routerVersion, audit, api);
    }

    public GuardSetup withOnUnknown(OnUnknown other) {
        return new GuardSetup(upstream, rules, config, mode, other, baseline, routerVersion, audit, api);
    }

    public GuardSetup withBaseline(List<BaselineEntry> other) {
        return new GuardSetup(upstream, rules, config, mode, onUnknown, other, routerVersion, audit, api);
    }

    public GuardSetup withRouterVersion(@Nullable String other) {
        return new GuardSetup(upstream, rules, config, mode, onUnknown, baseline, other, audit, api);
    }

    public GuardSetup withAudit(@Nullable Path other) {
        return new GuardSetup(upstream, rules, config, mode, onUnknown, baseline, routerVersion, other, api);
    }

    public GuardSetup withApi(boolean other) {
        return new GuardSetup(upstream, rules, config, mode, onUnknown, baseline, routerVersion, audit, other);
    }
}
