package io.scatterguard.tests.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The resources under {@code /vectors}. */
public final class Lines {
    private Lines() {}

    /** The lines of a file that are not blank. */
    public static List<String> of(String name) {
        return text(name).lines().filter(line -> !line.isBlank()).toList();
    }

    static String text(String name) {
        try (InputStream in = Lines.class.getResourceAsStream("/vectors/" + name)) {
            if (in == null) {
                throw new IllegalStateException("/vectors/" + name + ": not among the test resources");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
