package io.scatterguard.proxy.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host name or address with a TCP port.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port 0..65535; 0 where the system may choose
 */
public record HostAndPort(String host, int port) {
    private static final Pattern TEXT = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([A-Za-z0-9._-]+))(?::(\\d{1,5}))?");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|[0-9A-Fa-f:.%]+");
    private static final Pattern LOOPBACK = Pattern.compile("127(?:\\.\\d{1,3}){3}");
    private static final int MAX_PORT = 65_535;

    public HostAndPort {
        new Requirements()
                .that(
                        HOST.matcher(host).matches(),
                        "host",
                        Quoting.quoted(host) + " (expected: a host name or an address)")
                .range("port", port, 0, MAX_PORT)
                .check();
    }

    /**
     * {@code host:port}, or {@code host} alone where {@code defaultPort} is not negative; IPv6 addresses in brackets.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static HostAndPort parse(String text, int defaultPort) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || (matcher.group(3) == null && defaultPort < 0)) {
            throw new IllegalArgumentException(Quoting.quoted(text) + " (expected: host:port)");
        }
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return new HostAndPort(host, matcher.group(3) == null ? defaultPort : Integer.parseInt(matcher.group(3)));
    }

    /** Whether only this machine reaches it: {@code localhost}, an address of 127.0.0.0/8, or {@code ::1}. */
    public boolean isLoopback() {
        return host.equals("localhost")
                || host.equals("::1")
                || LOOPBACK.matcher(host).matches();
    }

    /** {@code host:port}, as it stands in a connection string. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
