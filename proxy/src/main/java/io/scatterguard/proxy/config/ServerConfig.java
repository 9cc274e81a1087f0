package io.scatterguard.proxy.config;

/**
 * How servers are dialled and what is known of them.
 *
 * @param auth whether clients have to authenticate before anything is refused or answered by the proxy itself
 * @param identity how the user is known where the authentication does not show it
 */
public record ServerConfig(Auth auth, Identity identity) {
    public static final ServerConfig STANDARD = new ServerConfig(Auth.AUTO, Identity.CONVERSATION);

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
