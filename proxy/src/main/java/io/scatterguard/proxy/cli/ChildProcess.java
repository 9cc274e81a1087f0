package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that is run with this process's own streams, and gets the signals that this process gets meanwhile. */
final class ChildProcess {
    /** As shells say it. */
    static final int NOT_EXECUTABLE = 126;

    /** Likewise. */
    static final int NOT_FOUND = 127;

    private static final Pattern ERROR_NUMBER = Pattern.compile("error[=:] ?(\\d+)");
    private static final String NO_SUCH_FILE = "2";

    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

    private ChildProcess() {}

    /**
     * Runs it to its end.
     *
     * @param environment besides that of this process
     * @return its exit code, or 128 and the number of the signal that ended it
     * @throws ChildNotStartedException if there is no such program, or it is none
     */
    static int run(List<String> command, Map<String, String> environment) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        CompletableFuture<Process> started = new CompletableFuture<>();
        // Before the start: a signal in between would end this process, and leave the command alone.
        List<Runnable> givenBack = take(started);
        try {
            Process process = builder.start();
            started.complete(process);
            try {
                return process.waitFor();
            } finally {
                // If this is interrupted: nobody is left to look after it.
                process.destroy();
            }
        } catch (IOException e) {
            started.completeExceptionally(e);
            throw new ChildNotStartedException(codeOf(e), e);
        } finally {
            givenBack.forEach(Runnable::run);
        }
    }

    private static List<Runnable> take(CompletableFuture<Process> started) {
        List<Runnable> givenBack = new ArrayList<>();
        // Whoever presses Ctrl-C in a terminal sends it to both; a second one would make many test runners give up at
        // once.
        boolean terminal = Terminal.isInForeground();
        givenBack.add(Signals.take("INT", () -> {
            if (!terminal) {
                pass("INT", started);
            }
        }));
        for (String signal : List.of("TERM", "HUP", "USR1", "USR2")) {
            givenBack.add(Signals.take(signal, () -> pass(signal, started)));
        }
        return givenBack;
    }

    /** The code that {@code e} stands for, of a command that did not start. */
    private static int codeOf(IOException e) {
        // Java 17: "error=2, …"; Java 25: "… error: 2 (…) …".
        Matcher number = ERROR_NUMBER.matcher(String.valueOf(e.getMessage()));
        return number.find() && !number.group(1).equals(NO_SUCH_FILE) ? NOT_EXECUTABLE : NOT_FOUND;
    }

    /** Java itself knows two signals only, and not every container has the program; every shell knows them all. */
    private static void pass(String signal, CompletableFuture<Process> started) {
        try {
            Process process = started.get();
            if (process.isAlive() && !sent(signal, process)) {
                process.destroy();
            }
        } catch (ExecutionException e) {
            LOG.debug("no command to pass a signal to: signal={}", signal);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean sent(String signal, Process process) throws InterruptedException {
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException e) {
            LOG.debug("no shell: signal={} error={}", signal, e.toString());
            return false;
        }
    }
}
