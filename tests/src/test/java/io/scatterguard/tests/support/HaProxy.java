package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * A real HAProxy that forwards one port of this machine to another: {@code /usr/sbin/haproxy}, which is not in everybody's
 * path, or else {@code haproxy} of the path; the property {@code scatterguard.haproxy} names another.
 */
public final class HaProxy implements AutoCloseable {
    private static final String CONFIG = """
            defaults
              mode tcp
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            frontend ready
              bind 127.0.0.1:%d
              tcp-request connection reject
            frontend forwarded
              bind 127.0.0.1:%d %s
              %s
              default_backend servers
            backend servers
              server one 127.0.0.1:%d %s
            """;

    private final Process process;
    private final int port;
    private final Path folder;

    private HaProxy(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
    }

    /** Skips the running test, saying why, when there is no HAProxy; fails it where the environment has CI=true. */
    public static void assumeAvailable() {
        String program = program();
        try {
            Process probe = new ProcessBuilder(program, "-v")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (probe.waitFor(30, TimeUnit.SECONDS) && probe.exitValue() == 0) {
                return;
            }
            missing("`" + program + " -v` failed");
        } catch (IOException e) {
            missing("`" + program + " -v` cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String program() {
        Path usual = Path.of("/usr/sbin/haproxy");
        return System.getProperty("scatterguard.haproxy", Files.isExecutable(usual) ? usual.toString() : "haproxy");
    }

    private static void missing(String reason) {
        String message = "haproxy is missing: " + reason + " (install the package haproxy)";
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(message + " (CI=true: a missing tool is a failure)");
        }
        System.out.println("SKIPPED " + message);
        Assumptions.abort(message);
    }

    /**
     * Starts one that forwards to {@code target}, and returns once it accepts.
     *
     * @param bindOptions of its own port, for instance {@code accept-proxy}
     * @param rule a line of its frontend, or an empty one
     * @param serverOptions for instance {@code send-proxy-v2}
     */
    public static HaProxy start(int target, String bindOptions, String rule, String serverOptions) {
        try {
            int ready = freePort();
            int port = freePort();
            Path folder = Files.createTempDirectory("scatterguard-haproxy");
            Path config = folder.resolve("haproxy.cfg");
            Files.writeString(config, CONFIG.formatted(ready, port, bindOptions, rule, target, serverOptions));
            Process process = new ProcessBuilder(program(), "-db", "-f", config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            HaProxy started = new HaProxy(process, port, folder);
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> started.accepts(ready));
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All ports are bound before any is served; asking another than the forwarded one makes no connection behind. */
    private boolean accepts(int ready) throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("haproxy ended: " + Files.readString(folder.resolve("output")));
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ready));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(folder.resolve("haproxy.cfg"));
            Files.deleteIfExists(folder.resolve("output"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
