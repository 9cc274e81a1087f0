package io.scatterguard.proxy.config;

/**
 * One thing wrong with a configuration.
 *
 * @param path the key, for instance {@code listeners[0].bind}; empty for the file as a whole
 * @param line the line of the key or value, from 1; 0 if there is none; the highest number for what stands behind all others
 * @param problem what is wrong and what would be right; never a secret
 */
public record ConfigError(String path, int line, String problem) {
    /** {@code line 4: listeners[0].bind: "x" (expected: host:port)}. */
    @Override
    public String toString() {
        return (line > 0 && line < Integer.MAX_VALUE ? "line " + line + ": " : "")
                + (path.isEmpty() ? "" : path + ": ")
                + problem;
    }
}
