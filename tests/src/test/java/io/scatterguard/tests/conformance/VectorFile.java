package io.scatterguard.tests.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;

/** A file of vectors: one document in Extended JSON a line. */
public final class VectorFile {
    private VectorFile() {}

    public static List<BsonDocument> read(String name) {
        try (InputStream in = VectorFile.class.getResourceAsStream("/vectors/" + name)) {
            if (in == null) {
                throw new IllegalStateException("/vectors/" + name + ": not among the test resources");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(BsonDocument::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
