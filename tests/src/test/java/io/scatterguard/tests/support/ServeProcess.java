package io.scatterguard.tests.support;

import io.scatterguard.proxy.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** {@code scatterguard serve} as a process of its own; killed when this is closed. */
public final class ServeProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening: bind=/127\\.0\\.0\\.1:(\\d+) ");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path log;

    private ServeProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it with the configuration {@code config}, whose first listener is on 127.0.0.1. */
    public static ServeProcess start(Path config) {
        Path log = config.resolveSibling(config.getFileName() + ".log");
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-Dlogback.configurationFile=logback.xml",
                            Main.class.getName(),
                            "serve",
                            "--config",
                            config.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(log.toFile())
                    .start();
            return new ServeProcess(process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Process process() {
        return process;
    }

    /** All it has logged. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port of its first listener, once it listens. */
    public int awaitPort() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !process.isAlive() || LISTENING.matcher(log()).find());
        Matcher matcher = LISTENING.matcher(log());
        if (!matcher.find()) {
            throw new AssertionError("the process ended before it listened:\n" + log());
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Sends it a signal, named without {@code SIG}. */
    public void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (!kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("kill -" + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
