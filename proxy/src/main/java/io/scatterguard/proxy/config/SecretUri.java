package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MongoDB connection string. It may hold credentials, so everything but {@link #reveal()} hides them.
 */
public final class SecretUri {
    static final String EXPECTED = "mongodb://[user:password@]host[:port][,host…]/[?options], with every"
            + " : / ? # [ ] @ % of user and password percent-encoded";

    /** Credentials with a raw delimiter are turned down: no redaction could tell where they end. */
    private static final Pattern FORM =
            Pattern.compile("(mongodb(?:\\+srv)?://)([^@/?#\\s]+@)?([^@/?#\\s]+)(/[^@?#\\s]*)?(\\?[^@\\s#]*)?");

    private static final Pattern TLS_OPTION = Pattern.compile("(?i)[?&;](?:tls|ssl)=");

    private final String uri;
    private final String redacted;

    private SecretUri(String uri, String redacted) {
        this.uri = uri;
        this.redacted = redacted;
    }

    /**
     * The connection string {@code uri}.
     *
     * @throws IllegalArgumentException if it is none; the message does not repeat it
     */
    public static SecretUri of(String uri) {
        Matcher matcher = FORM.matcher(uri);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a connection string (expected: " + EXPECTED + ")");
        }
        String redacted = matcher.group(1)
                + (matcher.group(2) == null ? "" : "***@")
                + matcher.group(3)
                + (matcher.group(4) == null ? "" : matcher.group(4))
                + (matcher.group(5) == null ? "" : "?***");
        return new SecretUri(uri, redacted);
    }

    /**
     * The connection string {@code text} once its references are replaced, as in a configuration.
     *
     * @param environment what {@code ${NAME}} refers to
     * @param folder what a relative path of {@code ${file:…}} is relative to
     * @throws IllegalArgumentException if it is none; the message does not repeat it
     */
    public static SecretUri expanded(String text, Map<String, String> environment, Path folder) {
        return of(new Expansion(environment, folder).expand(text));
    }

    /** Whether it says who connects: then the servers it names have access control. */
    public boolean hasCredentials() {
        return redacted.contains("@") || uri.toLowerCase(Locale.ROOT).contains("authmechanism=");
    }

    /** Whether it says itself if TLS is spoken, be it yes or no; {@code mongodb+srv} means yes. */
    boolean decidesTls() {
        return uri.startsWith("mongodb+srv:") || TLS_OPTION.matcher(uri).find();
    }

    /** The hosts as they stand there, with their ports where there are any. */
    List<String> hosts() {
        String rest = redacted.substring(redacted.indexOf("://") + 3);
        String withoutUser = rest.substring(rest.indexOf('@') + 1);
        int end = 0;
        while (end < withoutUser.length() && "/?".indexOf(withoutUser.charAt(end)) < 0) {
            end++;
        }
        return List.of(withoutUser.substring(0, end).split(",", -1));
    }

    /** The connection string with its credentials; only for the driver. */
    public String reveal() {
        return uri;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SecretUri other && uri.equals(other.uri);
    }

    @Override
    public int hashCode() {
        return uri.hashCode();
    }

    /** Scheme, hosts and database; user, password and options (which may hold secrets too) are stars. */
    @Override
    public String toString() {
        return redacted;
    }
}
