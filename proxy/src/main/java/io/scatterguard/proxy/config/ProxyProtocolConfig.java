package io.scatterguard.proxy.config;

import java.util.List;

/**
 * Whose PROXY headers a listener believes.
 *
 * @param from the networks of the load balancers in front; at least one
 * @param required whether a connection from there without a header is closed
 */
public record ProxyProtocolConfig(List<NetworkRange> from, boolean required) {
    public ProxyProtocolConfig {
        from = List.copyOf(from);
        new Requirements()
                .that(!from.isEmpty(), "from", "none (expected: at least one address or network)")
                .check();
    }
}
