package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP requests that are answered before their body has come: a client that is still sending it gets the answer. */
class EarlyAnswersTest {
    private static final String CONFIG = """
            listeners:
              - { bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }
            audit: { sinks: [] }
            admin: { bind: "127.0.0.1:0", token: a-token-of-the-tests }
            """;

    private static final int PIECE_BYTES = 64 * 1024;
    private static final int PIECES = 48;

    private static ScriptedMongos mongos;
    private static ProxyUnderTest proxy;
    private static HostAndPort admin;

    @BeforeAll
    static void start() {
        mongos = ScriptedMongos.start();
        proxy = ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard());
        admin = proxy.runtime().adminAddress();
    }

    @AfterAll
    static void stop() {
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/explain, 413",
        "POST, /api/v1/mode, 401",
        "POST, /api/v1/nothing, 404",
        "PUT, /api/v1/explain, 405",
        "POST, /metrics, 405"
    })
    void theAnswerReachesWhoeverIsStillSending(String method, String path, String status) throws Exception {
        try (Socket socket = connected()) {
            OutputStream out = socket.getOutputStream();
            out.write(head(method, path, "Content-Length: " + PIECES * PIECE_BYTES));
            for (int i = 0; i < PIECES; i++) {
                // As over a slow line: the server has long decided when the last piece comes.
                Thread.sleep(2);
                out.write(new byte[PIECE_BYTES]);
                out.flush();
            }
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 " + status);
        }
    }

    /** It is not made to send what nobody will read. */
    @Test
    void whoeverWaitsToSendIsAnsweredAtOnce() throws Exception {
        try (Socket socket = connected()) {
            OutputStream out = socket.getOutputStream();
            out.write(head("POST", "/api/v1/mode", "Content-Length: 1000000\r\nExpect: 100-continue"));
            out.flush();
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 401");
        }
    }

    private static Socket connected() throws IOException {
        Socket socket = new Socket(admin.host(), admin.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static byte[] head(String method, String path, String headers) {
        return (method + " " + path + " HTTP/1.1\r\nHost: " + admin + "\r\n" + headers + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String statusLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }
}
