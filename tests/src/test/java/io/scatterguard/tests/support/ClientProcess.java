package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A run of one of the scripts under {@code clients/} with a real driver, as a process with a home of its own. */
public final class ClientProcess {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

    private final ClientTool tool;
    private final String uri;
    private final Map<String, String> environment = new TreeMap<>();
    private Duration timeout = DEFAULT_TIMEOUT;
    private String script;

    private ClientProcess(ClientTool tool, String uri) {
        this.tool = tool;
        this.uri = uri;
        script = tool.script();
        environment.put("SCATTERGUARD_URI", uri);
    }

    /** A run of the script of {@code tool} against {@code uri}, on {@code shop.orders}, expecting a refusal. */
    public static ClientProcess of(ClientTool tool, String uri) {
        return new ClientProcess(tool, uri);
    }

    public ClientProcess namespace(String database, String collection) {
        environment.put("SCATTERGUARD_DATABASE", database);
        environment.put("SCATTERGUARD_COLLECTION", collection);
        return this;
    }

    /** The two fields of the shard key; {@code customerId} and {@code orderId} unless set. */
    public ClientProcess key(String first, String second) {
        environment.put("SCATTERGUARD_KEY", first + "," + second);
        return this;
    }

    /** Whether the broadcast must be refused (61001) or must succeed for the script to exit with 0. */
    public ClientProcess expectRefusal(boolean expected) {
        environment.put("SCATTERGUARD_EXPECT_REFUSAL", Boolean.toString(expected));
        return this;
    }

    /** Runs another script of {@code clients/} than the tool's own. */
    public ClientProcess script(String name) {
        script = name;
        return this;
    }

    /** How long the process may take before it is killed and the test fails; two minutes unless set. */
    public ClientProcess timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /** Runs the script to its end, whatever its exit code. */
    public ClientRun run() {
        try {
            Path home = Files.createTempDirectory("scatterguard-client");
            try {
                return run(home);
            } finally {
                delete(home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + tool + " was running", e);
        }
    }

    private ClientRun run(Path home) throws IOException, InterruptedException {
        silenceMongosh(home);
        Path stdout = home.resolve("stdout");
        Path stderr = home.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(tool.commandLine(scriptFile(), uri))
                .directory(home.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(
                        Files.createFile(home.resolve("stdin")).toFile()))
                .redirectOutput(stdout.toFile())
                .redirectError(stderr.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("MONGOSH_FORCE_DISABLE_TELEMETRY_FOR_TESTING", "1");
        builder.environment().put("HOME", home.toString());
        builder.environment().put("NODE_PATH", ClientTool.nodeModules().toString());
        Process process = builder.start();
        boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String out = Files.readString(stdout);
        String err = Files.readString(stderr);
        if (!ended) {
            throw new AssertionError(
                    tool + " did not end within " + timeout.toMillis() + " ms\nstdout: " + out + "\nstderr: " + err);
        }
        return new ClientRun(tool, process.exitValue(), out, err);
    }

    /** Telemetry off and no greeting, where mongosh looks for its settings. */
    private static void silenceMongosh(Path home) throws IOException {
        Path settings = Files.createDirectories(home.resolve(".mongodb/mongosh"));
        Files.writeString(
                settings.resolve("config"),
                "{\"userId\":\"000000000000000000000000\",\"enableTelemetry\":false,\"disableGreetingMessage\":true}\n",
                StandardCharsets.UTF_8);
    }

    private Path scriptFile() {
        URL resource = ClientProcess.class.getResource("/clients/" + script);
        if (resource == null) {
            throw new AssertionError("clients/" + script + " is not among the test resources");
        }
        try {
            return Path.of(resource.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
