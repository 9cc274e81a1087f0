package io.scatterguard.proxy.otlp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.StreamSupport;

/** A collector that is scripted: it takes what is sent, is busy, hangs up or refuses. */
public final class ScriptedCollector implements AutoCloseable {
    /** A status that stands for no answer. */
    public static final int HANG_UP = -1;

    /** An answer that begins, with status 200, and does not end. */
    public static final int NO_END = -2;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<JsonNode> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final HttpServer server;
    private volatile IntSupplier status = () -> 200;

    private ScriptedCollector(HttpServer server) {
        this.server = server;
    }

    public static ScriptedCollector start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            ScriptedCollector collector = new ScriptedCollector(server);
            server.createContext("/", collector::answer);
            server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode request = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
        int answer = status.getAsInt();
        if (answer == 200) {
            requests.add(request);
        }
        if (answer == NO_END) {
            exchange.sendResponseHeaders(200, 100);
            return;
        }
        if (answer != HANG_UP) {
            exchange.sendResponseHeaders(answer, -1);
        }
        exchange.close();
    }

    /** What it answers from now on. */
    public void answers(IntSupplier with) {
        status = with;
    }

    /** With a secret header. */
    public OtlpTarget target(String path) {
        return new OtlpTarget(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path),
                Map.of("Authorization", "Bearer s3cr3t"),
                "scatterguard",
                "proxy-1");
    }

    /** The requests it took. */
    public List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    /** The {@code Authorization} of all requests. */
    public List<String> tokens() {
        return List.copyOf(tokens);
    }

    /** What stands in all requests it took at {@code pointer}, a list in each. */
    public List<JsonNode> all(String pointer) {
        return requests().stream()
                .flatMap(request -> StreamSupport.stream(request.at(pointer).spliterator(), false))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
