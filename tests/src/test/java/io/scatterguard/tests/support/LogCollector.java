package io.scatterguard.tests.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A collector of OTLP logs that may go away, its port with it, and come back. What it took it has acknowledged: it goes between
 * two requests.
 */
public final class LogCollector implements AutoCloseable {
    private final AuditFile.Reading reading = new AuditFile.Reading();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private boolean away;
    private int port;

    private LogCollector() {}

    public static LogCollector start() {
        LogCollector collector = new LogCollector();
        collector.comeBack();
        return collector;
    }

    /** Where records are to be sent. */
    public String endpoint() {
        return "http://127.0.0.1:" + port + "/v1/logs";
    }

    /** Takes requests, on the same port as before. */
    public synchronized void comeBack() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = server.getAddress().getPort();
        server.createContext("/v1/logs", this::answer);
        away = false;
        server.start();
    }

    /** Closes its port and every connection. */
    public void goAway() {
        HttpServer stopped;
        synchronized (this) {
            away = true;
            stopped = server;
        }
        stopped.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!away) {
                exchange.sendResponseHeaders(200, -1);
                take(BsonDocument.parse(new String(body, StandardCharsets.UTF_8)));
            }
        } catch (IOException | RuntimeException e) {
            failures.add(e);
        }
    }

    private void take(BsonDocument request) {
        for (BsonValue resource : request.getArray("resourceLogs")) {
            for (BsonValue scope : resource.asDocument().getArray("scopeLogs")) {
                for (BsonValue log : scope.asDocument().getArray("logRecords")) {
                    reading.line(log.asDocument()
                            .getDocument("body")
                            .getString("stringValue")
                            .getValue());
                }
            }
        }
    }

    /** What came so far, as it would stand in a file. */
    public AuditFile received() {
        return reading.read();
    }

    @Override
    public void close() {
        goAway();
        if (!failures.isEmpty()) {
            throw new AssertionError("the collector failed: " + failures);
        }
    }
}
