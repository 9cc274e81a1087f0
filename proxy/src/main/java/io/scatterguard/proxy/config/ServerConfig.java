package io.scatterguard.proxy.config;

/**
 * How servers are dialled and what is known of them.
 *
 * @param auth whether clients have to authenticate before anything is refused or answered by the proxy itself
 */
public record ServerConfig(Auth auth) {
    public static final ServerConfig STANDARD = new ServerConfig(Auth.AUTO);

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
