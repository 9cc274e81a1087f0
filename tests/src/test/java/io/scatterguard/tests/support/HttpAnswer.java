package io.scatterguard.tests.support;

import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.bson.BsonDocument;

/** What an HTTP server of the proxy answered. */
public record HttpAnswer(int status, String contentType, String text) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    /** Asks {@code address} for {@code path}, with further headers as names and values in turn. */
    public static HttpAnswer get(HostAndPort address, String path, String... headers) {
        return ask("GET", address, path, headers);
    }

    /** Likewise with another method. */
    public static HttpAnswer ask(String method, HostAndPort address, String path, String... headers) {
        return answer(method, address, path, HttpRequest.BodyPublishers.noBody(), headers);
    }

    private static HttpAnswer answer(
            String method, HostAndPort address, String path, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new HttpAnswer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends {@code body} to {@code path}, likewise. */
    public static HttpAnswer post(HostAndPort address, String path, String body, String... headers) {
        return answer("POST", address, path, HttpRequest.BodyPublishers.ofString(body), headers);
    }

    public BsonDocument json() {
        return BsonDocument.parse(text);
    }
}
