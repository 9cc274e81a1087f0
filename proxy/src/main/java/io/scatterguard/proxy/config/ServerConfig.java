package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * How servers are dialled and what is known of them.
 *
 * @param auth whether clients have to authenticate before anything is refused or answered by the proxy itself
 * @param proxyProtocol which PROXY header connections to servers begin with
 * @param tls how they are reached by TLS; null for plain connections
 */
public record ServerConfig(
        Auth auth, ProxyProtocol proxyProtocol, @Nullable ServerTlsConfig tls) {
    public static final ServerConfig STANDARD = new ServerConfig(Auth.AUTO, ProxyProtocol.OFF, null);

    /** A version of the PROXY protocol, or none. */
    public enum ProxyProtocol implements Choice {
        OFF("off"),
        V1("v1"),
        V2("v2");

        private final String text;

        ProxyProtocol(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** Whether the cluster has access control. */
    public enum Auth implements Choice {
        /** It has where {@code catalog.uri} carries credentials. */
        AUTO("auto"),
        REQUIRED("required");

        private final String text;

        Auth(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }
}
