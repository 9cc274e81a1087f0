package io.scatterguard.tests.support;

import io.scatterguard.proxy.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code serve} as a process of its own, with its first listener on a free port. */
public final class ServeProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening: bind=/127\\.0\\.0\\.1:(\\d+) ");
    private static final Pattern STOPPED = Pattern.compile("stopped: .* auditRecords=(\\d+) auditDropped=(\\d+)");
    /** What the JVM exits with after SIGTERM, once its shutdown hooks have run: 128 + 15. */
    private static final int TERMINATED = 143;

    private final Process process;
    private final StringBuilder log = new StringBuilder();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final Thread reader;

    private ServeProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::readLog, "serve-log");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it with {@code yaml}, which is written into {@code folder}; {@code options} are the JVM's. */
    public static ServeProcess start(Path folder, String yaml, String... options) {
        try {
            Path config = folder.resolve("scatterguard.yaml");
            Files.writeString(config, yaml);
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(options));
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-Dlogback.configurationFile=io/scatterguard/proxy/logback.xml",
                    Main.class.getName(),
                    "serve",
                    "--config",
                    config.toString()));
            return new ServeProcess(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readLog() {
        try (BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = err.readLine(); line != null; line = err.readLine()) {
                note(line);
                Matcher matcher = LISTENING.matcher(line);
                if (matcher.find()) {
                    port.complete(Integer.valueOf(matcher.group(1)));
                }
            }
        } catch (IOException e) {
            note(e.toString()); // it was killed
        }
        port.completeExceptionally(new AssertionError("the process ended before it listened"));
    }

    /** The port of its first listener, once it accepts. */
    public int port() {
        try {
            return port.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no listener:\n" + log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** What it has logged. */
    public String log() {
        synchronized (log) {
            return log.toString();
        }
    }

    private void note(String line) {
        synchronized (log) {
            log.append(line).append('\n');
        }
    }

    /** SIGTERM, without waiting. By the handle: {@code Process.destroy} would close the stream of the last log lines. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Waits until it has ended after {@link #terminate()}, and has logged all it had to. */
    public void awaitTerminated() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != TERMINATED) {
            throw new AssertionError("did not end by SIGTERM: " + process + "\n" + log());
        }
        reader.join(10_000);
    }

    /** What it said of its audit log when it ended. */
    public record AuditCounts(long recorded, long dropped) {}

    /** Ends it by SIGTERM; returns what it then says of its audit log. */
    public AuditCounts terminateCounting() throws InterruptedException {
        terminate();
        awaitTerminated();
        Matcher stopped = STOPPED.matcher(log());
        if (!stopped.find()) {
            throw new AssertionError("it did not say what it recorded:\n" + log());
        }
        return new AuditCounts(Long.parseLong(stopped.group(1)), Long.parseLong(stopped.group(2)));
    }

    /** Sends it a signal by its name without {@code SIG}; it must not end by it. */
    public void signal(String name) throws InterruptedException {
        try {
            Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (sent.waitFor() != 0) {
                throw new AssertionError("kill -" + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files it has open at present, by their descriptors; only where the system shows them in {@code /proc}. */
    public Map<String, Path> openFiles() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> links =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            for (Path link : links) {
                target(link).ifPresent(target -> files.put(link.getFileName().toString(), target));
            }
        }
        return files;
    }

    /** Empty if it was closed meanwhile. */
    private static Optional<Path> target(Path link) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
