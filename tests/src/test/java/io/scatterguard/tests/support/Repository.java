package io.scatterguard.tests.support;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of this repository, wherever in it the tests run. */
public final class Repository {
    private Repository() {}

    public static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (at != null && !Files.isDirectory(at.resolve("docs"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException("no folder above the working directory holds docs/");
        }
        return at;
    }
}
