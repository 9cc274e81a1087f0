package io.scatterguard.proxy.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where an OpenTelemetry collector takes something.
 *
 * @param uri what is posted to, over http or https
 * @param headers sent with every request
 */
public record OtlpEndpoint(URI uri, List<Header> headers) {
    /** A header of HTTP. */
    public record Header(String name, Secret value) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

        /** What the sender says itself. */
        private static final Set<String> TAKEN = Set.of(
                "connection", "content-length", "content-type", "expect", "host", "transfer-encoding", "upgrade");

        public Header {
            boolean plain = value.reveal().chars().allMatch(c -> c >= ' ' && c < 127);
            new Requirements()
                    .that(NAME.matcher(name).matches(), "name", "not a header's name (expected: a token, as in HTTP)")
                    .that(
                            !TAKEN.contains(name.toLowerCase(Locale.ROOT)),
                            "name",
                            "a header that the proxy sets itself (expected: one of the collector's, like Authorization)")
                    .that(plain, "value", "has a character that no header may have (expected: ASCII, one line)")
                    .check();
        }
    }

    public OtlpEndpoint {
        headers = List.copyOf(headers);
    }
}
