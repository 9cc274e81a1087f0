package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * How servers are dialled and what is known of them.
 *
 * @param auth whether clients have to authenticate before anything is refused or answered by the proxy itself
 * @param tls how they are reached by TLS; null for plain connections
 */
public record ServerConfig(Auth auth, @Nullable ServerTlsConfig tls) {
    public static final ServerConfig STANDARD = new ServerConfig(Auth.AUTO, null);

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
