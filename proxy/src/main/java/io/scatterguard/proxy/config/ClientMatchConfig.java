package io.scatterguard.proxy.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which clients are meant; what is empty means all. In a glob {@code *} stands for any characters and {@code ?} for one.
 *
 * @param appName a glob on the client's application name; never matches a client without one
 * @param user a glob on the authenticated user, on {@code user@database} if it has an {@code @}; never matches before
 *     authentication
 * @param driver a glob on name and version of the client's driver, for instance {@code nodejs 6.*}; never matches a client
 *     that told none
 * @param addresses networks, in any of which the client's address must be
 */
public record ClientMatchConfig(
        @Nullable String appName,
        @Nullable String user,
        @Nullable String driver,
        List<NetworkRange> addresses) {
    /** Selects every client. */
    public static final ClientMatchConfig ALL = new ClientMatchConfig(null, null, null, List.of());

    public ClientMatchConfig {
        addresses = List.copyOf(addresses);
        new Requirements()
                .line("appName", appName)
                .line("user", user)
                .line("driver", driver)
                .check();
    }
}
