package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.time.Duration;

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

    /** An OpenTelemetry collector. */
    record Otlp(OtlpEndpoint collector, WhenFull whenFull) implements SinkConfig {}

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
