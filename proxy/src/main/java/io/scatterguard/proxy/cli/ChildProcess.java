package io.scatterguard.proxy.cli;

import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that is run with this process's own streams, and gets the signals that this process gets. */
final class ChildProcess {
    /** As shells say it. */
    static final int NOT_EXECUTABLE = 126;

    /** Likewise. */
    static final int NOT_FOUND = 127;

    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
    private static final int KILL_SECONDS = 5;

    private final Process process;

    private ChildProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param environment besides that of this process
     * @throws IOException if there is no such program, or it is none
     */
    static ChildProcess start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        ChildProcess child = new ChildProcess(builder.start());
        for (String signal : List.of("TERM", "HUP", "QUIT", "USR1", "USR2")) {
            Signals.on(signal, () -> child.signal(signal));
        }
        // Whoever presses Ctrl-C in a terminal sends it to both; a second one would make many test runners give up at
        // once.
        boolean terminal = isTerminal();
        Signals.on("INT", terminal ? () -> {} : () -> child.signal("INT"));
        return child;
    }

    /** The code that {@code e} stands for, of a command that did not start. */
    static int codeOf(IOException e) {
        return String.valueOf(e.getMessage()).contains("error=13") ? NOT_EXECUTABLE : NOT_FOUND;
    }

    /** Waits for its end; its exit code, or 128 and the number of the signal that ended it. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Has it end, if it has not. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /** Java itself knows two signals only. */
    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            LOG.debug("no kill: signal={} error={}", name, e.toString());
            process.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From Java 22 on there is a console without a terminal, too, and a method that tells. */
    private static boolean isTerminal() {
        Console console = System.console();
        try {
            return console != null
                    && (Runtime.version().feature() < 22
                            || Boolean.TRUE.equals(
                                    Console.class.getMethod("isTerminal").invoke(console)));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
