package io.scatterguard.proxy.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** {@code /api/v1/openapi.json}: the description of everything that can be asked. */
public final class OpenApiEndpoint implements Endpoint {
    private static final String RESOURCE = "openapi.json";

    private final String document = read();

    private static String read() {
        try (InputStream in = OpenApiEndpoint.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + ": missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String path() {
        return "/api/v1/openapi.json";
    }

    @Override
    public Answer answer(Question question) {
        return new Answer(Answer.OK, Answer.JSON, document);
    }
}
