package io.scatterguard.tests.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;

/** An OpenTelemetry collector that takes everything by HTTP, and keeps it as text. */
public final class OtlpCollector implements AutoCloseable {
    private final HttpServer server;
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());

    private OtlpCollector(HttpServer server) {
        this.server = server;
    }

    public static OtlpCollector start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            OtlpCollector collector = new OtlpCollector(server);
            server.createContext("/", collector::take);
            server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** Where it takes {@code path}. */
    public String endpoint(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** The requests as they came. */
    public List<String> bodies() {
        return List.copyOf(bodies);
    }

    /** The header {@code Authorization} of each. */
    public List<String> tokens() {
        return List.copyOf(tokens);
    }

    /** The spans that came, in their order. */
    public List<BsonDocument> spans() {
        return items("resourceSpans", "scopeSpans", "spans");
    }

    /** The metrics that came, in their order. */
    public List<BsonDocument> metrics() {
        return items("resourceMetrics", "scopeMetrics", "metrics");
    }

    private List<BsonDocument> items(String resources, String scopes, String items) {
        return bodies().stream()
                .map(BsonDocument::parse)
                .filter(body -> body.containsKey(resources))
                .map(body -> body.getArray(resources).get(0).asDocument())
                .map(resource -> resource.getArray(scopes).get(0).asDocument())
                .flatMap(scope -> scope.getArray(items).stream())
                .map(item -> item.asDocument())
                .toList();
    }

    /** The value of an attribute of a span or a point; "" if it has none. An array as its JSON. */
    public static String attribute(BsonDocument of, String key) {
        return of.getArray("attributes").stream()
                .map(attribute -> attribute.asDocument())
                .filter(attribute -> attribute.getString("key").getValue().equals(key))
                .map(attribute -> attribute.getDocument("value"))
                .map(value -> value.containsKey("stringValue")
                        ? value.getString("stringValue").getValue()
                        : value.toJson())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
