package io.scatterguard.proxy.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A team and what is theirs; what is empty narrows nothing.
 *
 * @param owner the team's name
 * @param namespaces globs on {@code db.coll}, any of which must match
 * @param user a glob on the authenticated user, as in a rule
 * @param appName a glob on the client's application name
 */
public record OwnerConfig(
        String owner,
        List<String> namespaces,
        @Nullable String user,
        @Nullable String appName) {
    public OwnerConfig {
        namespaces = List.copyOf(namespaces);
        Requirements requirements =
                new Requirements().line("owner", owner).line("user", user).line("appName", appName);
        namespaces.forEach(namespace -> requirements.line("namespace", namespace));
        requirements.check();
    }
}
