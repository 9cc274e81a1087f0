package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Says once a second on a terminal (that takes ANSI sequences) how far reading is, how fast, and when it will be done. */
final class CheckProgress implements AutoCloseable {
    private static final double MEGA = 1_000_000;

    private final PrintWriter err;
    private final long total;
    private final long startNanos = System.nanoTime();
    private final @Nullable ScheduledExecutorService timer;
    private @Nullable CheckedInput current;
    private long before;
    private boolean shown;

    private CheckProgress(PrintWriter err, long total, @Nullable ScheduledExecutorService timer) {
        this.err = err;
        this.total = total;
        this.timer = timer;
    }

    /** Begins; says nothing where there is no terminal. */
    static CheckProgress start(List<String> files, PrintWriter err) {
        if (!CommandLine.Help.Ansi.AUTO.enabled()) {
            return new CheckProgress(err, 0, null);
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "scatterguard-progress");
            thread.setDaemon(true);
            return thread;
        });
        CheckProgress progress = new CheckProgress(err, size(files), timer);
        timer.scheduleAtFixedRate(progress::show, 1, 1, TimeUnit.SECONDS);
        return progress;
    }

    /** In bytes; 0 where one has no size. */
    private static long size(List<String> files) {
        long size = 0;
        for (String file : files) {
            try {
                if (InputFile.isStandardInput(file)) {
                    return 0;
                }
                size += Files.size(Path.of(file));
            } catch (IOException | RuntimeException e) {
                return 0;
            }
        }
        return size;
    }

    /** The next input is read. */
    synchronized void reading(CheckedInput input) {
        CheckedInput last = current;
        before += last == null ? 0 : last.bytesRead();
        current = input;
    }

    private synchronized void show() {
        CheckedInput input = current;
        long done = before + (input == null ? 0 : input.bytesRead());
        err.print("\r" + line(done, total, (System.nanoTime() - startNanos) / 1e9) + "\u001b[K");
        err.flush();
        shown = true;
    }

    /** For instance {@code 412 MB of 1024 MB (40 %), 12.3 MB/s, 50 s left}. */
    static String line(long done, long total, double seconds) {
        double rate = done / Math.max(seconds, 0.001);
        String text = String.format(Locale.ROOT, "%.0f MB", done / MEGA);
        if (total > 0) {
            text += String.format(Locale.ROOT, " of %.0f MB (%d %%)", total / MEGA, Math.min(100, done * 100 / total));
        }
        text += String.format(Locale.ROOT, ", %.1f MB/s", rate / MEGA);
        return total > done && rate > 0
                ? text + String.format(Locale.ROOT, ", %.0f s left", (total - done) / rate)
                : text;
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
        if (shown) {
            err.print("\r\u001b[K");
            err.flush();
            shown = false;
        }
    }
}
