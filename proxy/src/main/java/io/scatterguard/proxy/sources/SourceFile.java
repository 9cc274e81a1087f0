package io.scatterguard.proxy.sources;

/**
 * A source file.
 *
 * @param path as it is shown
 * @param text its content
 */
record SourceFile(String path, String text) {
    /** The name without its folder. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
