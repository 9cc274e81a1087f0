package io.scatterguard.tests.support;

import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Prometheus on a free port, which keeps what it scrapes in a folder of the test: {@code prometheus} and {@code promtool}
 * of the path, the Debian package {@code prometheus}; the property {@code scatterguard.prometheus} names another folder of both.
 */
public final class PrometheusServer implements AutoCloseable {
    private static final int PROBE_SECONDS = 60;

    private final Process process;
    private final HostAndPort address;
    private final Path output;

    private PrometheusServer(Process process, HostAndPort address, Path output) {
        this.process = process;
        this.address = address;
        this.output = output;
    }

    /** Skips the running test, saying why, when there is no Prometheus; fails it where the environment has CI=true. */
    public static void assumeAvailable() {
        for (String program : List.of("prometheus", "promtool")) {
            try {
                if (run(null, program, "--version") != 0) {
                    missing("`" + program + " --version` failed");
                }
            } catch (IOException e) {
                missing("`" + program + "` cannot be started: " + e.getMessage());
            }
        }
    }

    private static void missing(String reason) {
        String message = "prometheus is missing: " + reason + " (install the package prometheus)";
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(message + " (CI=true: a missing tool is a failure)");
        }
        System.out.println("SKIPPED " + message);
        Assumptions.abort(message);
    }

    /** Runs {@code promtool}, whose output goes to {@code output}; returns its exit code. */
    public static int promtool(Path output, String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            return run(output, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int run(Path output, String... command) throws IOException {
        command[0] = program(command[0]);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(
                output == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(output.toFile()));
        try {
            Process process = builder.start();
            if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return -1;
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String program(String name) {
        String folder = System.getProperty("scatterguard.prometheus", "");
        return folder.isBlank() ? name : Path.of(folder, name).toString();
    }

    /** Starts one by {@code config}, and returns once it answers. */
    public static PrometheusServer start(Path config, Path folder) {
        try {
            int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            Path output = folder.resolve("prometheus.log");
            Process process = new ProcessBuilder(
                            program("prometheus"),
                            "--config.file=" + config,
                            "--storage.tsdb.path=" + folder.resolve("data"),
                            "--storage.tsdb.retention.time=1h",
                            "--web.listen-address=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            PrometheusServer started = new PrometheusServer(process, new HostAndPort("127.0.0.1", port), output);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreException(AssertionError.class)
                    .until(started::isReady);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isReady() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("prometheus ended: " + Files.readString(output));
        }
        return HttpAnswer.get(address, "/-/ready").status() == 200;
    }

    /** What {@code expression} gives now: one document a series. */
    public List<BsonDocument> query(String expression) {
        BsonDocument data = data("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        return data.getArray("result").stream()
                .map(series -> series.asDocument())
                .toList();
    }

    /** What the API answers at {@code path}. */
    public BsonDocument data(String path) {
        HttpAnswer answer = HttpAnswer.get(address, path);
        if (answer.status() != 200) {
            throw new IllegalStateException(path + ": " + answer.text());
        }
        return answer.json().getDocument("data");
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
