package io.scatterguard.proxy.config;

import java.nio.file.Path;

/** Where audit records are written. */
public sealed interface SinkConfig {
    /** Standard output, one JSON object a line. */
    record Stdout() implements SinkConfig {}

    /**
     * A file that is rotated by size.
     *
     * @param path the file; a relative one is relative to the working directory
     * @param maxBytes the size at which a new file is begun, in bytes
     * @param maxFiles how many files are kept, the one being written included
     */
    record RotatingFile(Path path, long maxBytes, int maxFiles) implements SinkConfig {
        public static final long DEFAULT_MAX_BYTES = 100L << 20;
        public static final int DEFAULT_MAX_FILES = 10;

        public RotatingFile {
            new Requirements()
                    .range("maxBytes", maxBytes, 1 << 10, 1L << 40)
                    .range("maxFiles", maxFiles, 1, 10_000)
                    .check();
        }
    }
}
