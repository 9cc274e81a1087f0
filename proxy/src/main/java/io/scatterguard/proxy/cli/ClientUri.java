package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.SecretUri;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connection strings for clients of a proxy, made of that of the database behind it: one host, plain {@code mongodb://}, and
 * none of the options that tell of the database's own members or of how it is reached. May hold a password.
 */
final class ClientUri {
    /** With {@code replicaSet} drivers drop what shows itself as a mongos; the others are about another connection. */
    private static final Set<String> LEFT_OUT = Set.of(
            "replicaset",
            "directconnection",
            "loadbalanced",
            "srvmaxhosts",
            "srvservicename",
            "localthresholdms",
            "compressors",
            "zlibcompressionlevel");

    /** How the options begin that say by which way a server is reached. */
    private static final Set<String> ELSEWHERE = Set.of("tls", "ssl", "proxy");

    private static final Pattern SECRET_OPTION = Pattern.compile("(?i)password|token|authmechanismproperties");

    private final String user;
    private final String database;
    private final String options;
    /** Where the user was made, if that depends on the database in the path; else empty. */
    private final String source;

    private ClientUri(String user, String database, String options, String source) {
        this.user = user;
        this.database = database;
        this.options = options;
        this.source = source;
    }

    /** Without credentials, database and options. */
    static ClientUri plain() {
        return new ClientUri("", "", "", "");
    }

    /**
     * What {@code uri} says of who connects, to which database, and with which options.
     *
     * @param authSource the database that knows the user; null without a user
     */
    static ClientUri of(SecretUri uri, @Nullable String authSource) {
        String text = uri.reveal();
        String rest = text.substring(text.indexOf("://") + "://".length());
        int query = rest.indexOf('?');
        String before = query < 0 ? rest : rest.substring(0, query);
        List<String> kept = new ArrayList<>();
        for (String option :
                query < 0 ? new String[0] : rest.substring(query + 1).split("[&;]", -1)) {
            if (!option.isEmpty() && isKept(option)) {
                kept.add(option);
            }
        }
        String source = authSource == null || hasSource(kept) ? "" : "authSource=" + encoded(authSource);
        if (text.startsWith("mongodb+srv:") && !source.isEmpty()) {
            // The DNS says it, and the plain connection string does not ask there.
            kept.add(source);
            source = "";
        }
        int at = before.lastIndexOf('@');
        int slash = before.indexOf('/', at + 1);
        return new ClientUri(
                at < 0 ? "" : before.substring(0, at + 1),
                slash < 0 ? "" : before.substring(slash + 1),
                String.join("&", kept),
                source);
    }

    private static boolean isKept(String option) {
        String name = option.split("=", 2)[0].toLowerCase(Locale.ROOT);
        return !LEFT_OUT.contains(name) && ELSEWHERE.stream().noneMatch(name::startsWith);
    }

    private static boolean hasSource(List<String> options) {
        return options.stream()
                .anyMatch(option -> option.toLowerCase(Locale.ROOT).startsWith("authsource="));
    }

    /** Whether it holds something that nobody who lists the processes of this machine may see. */
    boolean isSecret() {
        return user.contains(":") || SECRET_OPTION.matcher(options).find();
    }

    /**
     * For a client of the proxy at {@code address}.
     *
     * @param other the database in its path; null for that of the original
     */
    String at(HostAndPort address, @Nullable String other) {
        String path = other == null ? database : encoded(other);
        // The database in the path is also the one that authenticates, unless something else says so.
        String more = other == null ? "" : source;
        String query = options.isEmpty() || more.isEmpty() ? options + more : options + "&" + more;
        return "mongodb://" + user + address + "/" + path + (query.isEmpty() ? "" : "?" + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%24", "$");
    }

    @Override
    public String toString() {
        return "ClientUri(" + (user.isEmpty() ? "" : "***@") + database + ")";
    }
}
