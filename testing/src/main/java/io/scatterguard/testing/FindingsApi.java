package io.scatterguard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a proxy by HTTP what it has found. */
final class FindingsApi {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int LIMIT = 1_000;
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI base;
    private final String token;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /** @param base like {@code http://localhost:19127} */
    FindingsApi(URI base, String token) {
        this.base = base;
        this.token = token;
    }

    /** The costliest 1,000 shapes that were findings since the start or the last reset. */
    List<ContainerFinding> findings() {
        JsonNode answer = ask(request("/api/v1/findings?limit=" + LIMIT).GET());
        List<ContainerFinding> findings = new ArrayList<>();
        answer.path("findings").forEach(shape -> findings.add(ContainerFinding.of(shape)));
        return List.copyOf(findings);
    }

    void reset() {
        ask(request("/api/v1/findings/reset").POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).header("Authorization", "Bearer " + token);
    }

    private JsonNode ask(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        String what = request.method() + " " + request.uri();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(what + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": no answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(what + ": interrupted", e);
        }
    }
}
