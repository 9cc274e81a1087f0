package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.Main;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.SinkMongos;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a process that may open few files: it says so, and goes on when there are some again. */
class OpenFilesTest {
    private static final Pattern LISTENING = Pattern.compile("listening: bind=/127\\.0\\.0\\.1:(\\d+) ");
    private static final Pattern FAILING = Pattern.compile("cannot accept connections");
    private static final int OPEN_FILES = 200;

    @Test
    void aProcessThatMayOpenNoMoreFilesAcceptsAgainWhenItMay(@TempDir Path folder) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        SinkMongos sink = ProxyUnderTest.sink();
        Process process = serve(folder, sink.address());
        try (BufferedReader log =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(await(log, LISTENING).group(1));
            try (RawClient first = RawClient.connect(port)) {
                // So that the process has loaded its classes: that takes files too.
                first.adminCommand("ping");
            }
            for (int i = 0; i < OPEN_FILES; i++) {
                clients.add(RawClient.connect(port));
            }
            await(log, FAILING);
            clients.forEach(RawClient::close);
            try (RawClient client = RawClient.connect(port)) {
                assertThat(client.adminCommand("ping").getNumber("ok").intValue())
                        .isEqualTo(1);
            }
        } finally {
            clients.forEach(RawClient::close);
            process.destroyForcibly();
            sink.close();
        }
    }

    private static Process serve(Path folder, String upstream) throws IOException {
        Path config = folder.resolve("scatterguard.yaml");
        Files.writeString(config, """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [] }
                """.formatted(upstream));
        return new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -n " + OPEN_FILES + " && exec \"$@\"",
                        "bash",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=io/scatterguard/proxy/logback.xml",
                        Main.class.getName(),
                        "serve",
                        "--config",
                        config.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static Matcher await(BufferedReader log, Pattern pattern) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            seen.append(line).append('\n');
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher;
            }
        }
        throw new AssertionError("the process ended before it said \"" + pattern + "\":\n" + seen);
    }
}
