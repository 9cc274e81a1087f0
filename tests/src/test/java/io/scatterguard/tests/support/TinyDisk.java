package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** A file system in memory of a size that a test chooses; root alone can make one. */
public final class TinyDisk implements AutoCloseable {
    private final Path folder;

    private TinyDisk(Path folder) {
        this.folder = folder;
    }

    /** One of {@code kibibytes}, mounted over {@code folder}; empty where this process must not mount. */
    public static Optional<TinyDisk> mount(Path folder, int kibibytes) {
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=" + kibibytes + "k", "tmpfs", folder.toString());
        return mounted ? Optional.of(new TinyDisk(folder)) : Optional.empty();
    }

    /** Makes it larger; what is on it stays. */
    public void resize(int kibibytes) {
        if (!run("mount", "-o", "remount,size=" + kibibytes + "k", folder.toString())) {
            throw new AssertionError("could not resize " + folder);
        }
    }

    private static boolean run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public void close() {
        run("umount", "-l", folder.toString());
    }
}
