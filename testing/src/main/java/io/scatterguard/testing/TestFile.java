package io.scatterguard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Finds a file that an annotation names: from the working directory, or on the class path. */
final class TestFile {
    private TestFile() {}

    /**
     * The file {@code name}; null if that is empty.
     *
     * @param attribute of the annotation, for errors
     * @throws IllegalArgumentException if there is none
     */
    static @Nullable Path find(String attribute, String name) {
        if (name.isEmpty()) {
            return null;
        }
        Path file = Path.of(name).toAbsolutePath();
        if (Files.isRegularFile(file)) {
            return file;
        }
        URL resource = loader().getResource(name);
        if (resource == null) {
            throw new IllegalArgumentException("@Scatterguard." + attribute + ": \"" + name
                    + "\" (expected: a file, like " + file + ", or a resource of the class path)");
        }
        try {
            return resource.getProtocol().equals("file") ? Path.of(resource.toURI()) : copied(resource, name);
        } catch (URISyntaxException | IOException e) {
            throw new IllegalArgumentException(
                    "@Scatterguard." + attribute + ": \"" + name + "\" cannot be read: " + resource, e);
        }
    }

    private static ClassLoader loader() {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread == null ? ClassLoader.getSystemClassLoader() : ofThread;
    }

    /** What is in a jar is no file. */
    private static Path copied(URL resource, String name) throws IOException {
        Path copy = Files.createTempFile("scatterguard", "-" + Path.of(name).getFileName());
        copy.toFile().deleteOnExit();
        try (InputStream content = resource.openStream()) {
            Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }
}
