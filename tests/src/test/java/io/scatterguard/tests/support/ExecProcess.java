package io.scatterguard.tests.support;

import io.scatterguard.proxy.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * {@code exec} as a process of its own, whose streams are files: what it leaves running holds no stream of a test open. The
 * command that it runs finds a client in the variable {@code CLIENT}, see {@link ExecClient}.
 */
public final class ExecProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** What starts sooner than it runs fast. */
    /** Begins the command line of a program that is to take the signals it gets, whoever runs the tests; may be empty. */
    public static final List<String> DEFAULT_SIGNALS = defaultSignals();

    private static final List<String> QUICK = List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    private final Process process;
    private final Path folder;

    private ExecProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** What is run, and with which surroundings. */
    public static final class Setup {
        private final Path folder;
        private final List<String> options = new ArrayList<>();
        private final Map<String, String> environment = new TreeMap<>();
        private String input = "";

        private Setup(Path folder) {
            this.folder = folder;
        }

        /** Further options of {@code exec}. */
        public Setup options(Object... some) {
            for (Object one : some) {
                options.add(one.toString());
            }
            return this;
        }

        public Setup variable(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** What the command may read from its standard input. */
        public Setup input(String text) {
            input = text;
            return this;
        }

        /** Starts {@code exec} with {@code command}. */
        public ExecProcess start(String... command) {
            try {
                Path client = folder.resolve("client");
                Files.writeString(client, "#!/bin/sh\nexec " + quoted(java(ExecClient.class)) + " \"$@\"\n");
                client.toFile().setExecutable(true);
                Files.writeString(folder.resolve("in"), input);
                List<String> all = new ArrayList<>(java(Main.class));
                all.add("exec");
                all.addAll(options);
                all.add("--");
                all.addAll(List.of(command));
                ProcessBuilder builder = new ProcessBuilder(all)
                        .directory(folder.toFile())
                        .redirectInput(folder.resolve("in").toFile())
                        .redirectOutput(folder.resolve("out").toFile())
                        .redirectError(folder.resolve("err").toFile());
                builder.environment().keySet().removeAll(List.of("MONGODB_URI", "SCATTERGUARD_LOG_LEVEL"));
                builder.environment().put("CLIENT", client.toString());
                builder.environment().putAll(environment);
                return new ExecProcess(builder.start(), folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Runs {@code exec} with {@code command} to its end. */
        public ExecRun run(String... command) {
            try (ExecProcess process = start(command)) {
                return process.await();
            }
        }

        /** Runs a script of the shell. */
        public ExecRun sh(String script) {
            return run("/bin/sh", "-c", script);
        }

        /** Starts one. */
        public ExecProcess startSh(String script) {
            return start("/bin/sh", "-c", script);
        }

        private static String quoted(List<String> words) {
            return "'" + String.join("' '", words) + "'";
        }
    }

    /** What runs in the background ignores SIGINT, and so does all that it starts, a build and its tests for instance. */
    private static List<String> defaultSignals() {
        List<String> env = List.of("env", "--default-signal");
        try {
            List<String> trial = List.of("env", "--default-signal", "true");
            return new ProcessBuilder(trial).redirectErrorStream(true).start().waitFor() == 0 ? env : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** One that works in {@code folder}, where its streams are too. */
    public static Setup in(Path folder) {
        return new Setup(folder);
    }

    /** The beginning of a command line that runs {@code main} as the tests run. */
    public static List<String> java(Class<?> main) {
        List<String> command = new ArrayList<>(DEFAULT_SIGNALS);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=io/scatterguard/proxy/logback.xml",
                main.getName()));
        return command;
    }

    /** Waits for its end. */
    public ExecRun await() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("exec does not end\nstdout: " + out() + "\nstderr: " + err());
            }
            return new ExecRun(process.exitValue(), out(), err());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Waits until the command has written {@code text} to its standard output. */
    public ExecProcess awaitOut(String text) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            if (!process.isAlive() && !out().contains(text)) {
                throw new AssertionError("it ended\nstdout: " + out() + "\nstderr: " + err());
            }
            return out().contains(text);
        });
        return this;
    }

    /** Sends it a signal, by its name without {@code SIG}. */
    public ExecProcess signal(String name) {
        try {
            int code = new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -s " + name + " failed");
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public String out() {
        return read("out");
    }

    public String err() {
        return read("err");
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it and what it started, if they still run. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
