package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * How servers are dialled and what is known of them.
 *
 * @param auth whether clients have to authenticate before anything is refused or answered by the proxy itself
 * @param proxyProtocol which PROXY header connections to servers begin with
 * @param tls how they are reached by TLS; null for plain connections
 * @param identity how the user is known where the authentication does not show it
 */
public record ServerConfig(
        Auth auth, ProxyProtocol proxyProtocol, @Nullable ServerTlsConfig tls, Identity identity) {
    public static final ServerConfig STANDARD =
            new ServerConfig(Auth.AUTO, ProxyProtocol.OFF, null, Identity.CONVERSATION);

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
        /** Presumed where {@code catalog.uri} carries credentials, and learnt from what the servers answer. */
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

    /** Where the name of a user comes from. */
    public enum Identity implements Choice {
        /** The authentication alone; a mechanism that does not show it leaves the user unknown. */
        CONVERSATION("conversation"),
        /** Where it does not show it, the server is asked on the same connection. */
        CONNECTION_STATUS("connectionStatus");

        private final String text;

        Identity(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }
}
