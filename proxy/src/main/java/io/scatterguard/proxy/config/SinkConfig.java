package io.scatterguard.proxy.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Where audit records are written. */
public sealed interface SinkConfig {
    /** What happens while too many records wait for it. */
    WhenFull whenFull();

    /** What happens while too many records wait for a sink. */
    enum WhenFull implements Choice {
        /** Further ones are dropped. */
        DROP("drop"),
        /** Clients whose commands are recorded are not read. */
        BLOCK("block");

        private final String text;

        WhenFull(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** Standard output, one JSON object a line. */
    record Stdout(WhenFull whenFull) implements SinkConfig {
        public Stdout() {
            this(WhenFull.DROP);
        }
    }

    /**
     * An OpenTelemetry collector.
     *
     * @param endpoint where logs are posted to, over http or https
     * @param headers sent with every request
     */
    record Otlp(URI endpoint, List<Header> headers, WhenFull whenFull) implements SinkConfig {
        /** A header of HTTP. */
        public record Header(String name, Secret value) {
            /** What the sender of a request writes, and refuses from anybody else, or would write twice. */
            private static final Set<String> OURS = Set.of(
                    "connection", "content-length", "content-type", "expect", "host", "transfer-encoding", "upgrade");

            private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

            public Header {
                boolean plain = value.reveal().chars().allMatch(c -> c >= ' ' && c < 127);
                new Requirements()
                        .that(
                                NAME.matcher(name).matches(),
                                "name",
                                "not a header's name (expected: a token, as in HTTP)")
                        .that(
                                !OURS.contains(name.toLowerCase(Locale.ROOT)),
                                "name",
                                name + " is a header that the connection sets itself (expected: another one)")
                        .that(plain, "value", "has a character that no header may have (expected: ASCII, one line)")
                        .check();
            }
        }

        public Otlp {
            headers = List.copyOf(headers);
        }
    }

    /**
     * A file that is rotated by size, and by time.
     *
     * @param path the file; a relative one is relative to the working directory
     * @param maxBytes the size at which a new file is begun, in bytes
     * @param maxFiles how many files are kept, the one being written included
     * @param rotateEvery how long a file is written to; zero for no limit
     * @param gzip whether files that are written no more are compressed
     */
    record RotatingFile(Path path, long maxBytes, int maxFiles, Duration rotateEvery, boolean gzip, WhenFull whenFull)
            implements SinkConfig {
        public static final long DEFAULT_MAX_BYTES = 100L << 20;
        public static final int DEFAULT_MAX_FILES = 10;

        public RotatingFile {
            new Requirements()
                    .range("maxBytes", maxBytes, 1 << 10, 1L << 40)
                    .range("maxFiles", maxFiles, 1, 10_000)
                    .that(
                            rotateEvery.isZero()
                                    || (rotateEvery.compareTo(Duration.ofMinutes(1)) >= 0
                                            && rotateEvery.compareTo(Duration.ofDays(366)) <= 0),
                            "rotateEvery",
                            Quantities.text(rotateEvery) + " (expected: 1m..366d, or 0s for none)")
                    .check();
        }
    }
}
