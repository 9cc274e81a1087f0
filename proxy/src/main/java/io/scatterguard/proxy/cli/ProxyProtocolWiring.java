package io.scatterguard.proxy.cli;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ProxyProtocolConfig;
import io.scatterguard.proxy.config.ServerConfig;
import io.scatterguard.proxy.net.ProxyHeaders;
import io.scatterguard.proxy.net.ProxyProtocolSettings;
import io.scatterguard.proxy.net.ServerPreface;
import org.jspecify.annotations.Nullable;

/** What the configuration says of the PROXY protocol, as the network takes it. */
final class ProxyProtocolWiring {
    private ProxyProtocolWiring() {}

    static ProxyProtocolSettings settings(ListenerConfig listener, ServerConfig server) {
        return new ProxyProtocolSettings(accepted(listener.proxyProtocol()), sent(server.proxyProtocol()));
    }

    private static @Nullable ProxyHeaders accepted(@Nullable ProxyProtocolConfig config) {
        return config == null
                ? null
                : new ProxyHeaders(
                        config.from().stream()
                                .map(range -> new IpSubnetFilterRule(
                                        range.address(), range.prefixBits(), IpFilterRuleType.ACCEPT))
                                .toList(),
                        config.required());
    }

    static ServerPreface sent(ServerConfig.ProxyProtocol version) {
        return switch (version) {
            case OFF -> ServerPreface.NONE;
            case V1 -> ServerPreface.PROXY_V1;
            case V2 -> ServerPreface.PROXY_V2;
        };
    }
}
