package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Where a command of the command line puts its text: a file, or standard output. */
final class OutputFile {
    private OutputFile() {}

    /**
     * As {@link #write}, but as a whole: a proxy that watches the file, and one that starts meanwhile, must not see half of it,
     * nor must a full disk take what was there. What is no regular file is written to all the same.
     */
    static void replace(CommandLine command, @Nullable String output, String text, String summary) throws IOException {
        if (output == null || output.equals("-") || !isReplaceable(output)) {
            write(command, output, text, summary);
            return;
        }
        Path file = Path.of(output);
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path written = target.resolveSibling(target.getFileName() + ".new");
        try {
            Files.writeString(written, text);
            Files.move(written, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            throw new InputException(output + ": cannot be written: no such folder");
        } catch (IOException e) {
            Files.deleteIfExists(written);
            throw unwritable(output, e);
        }
        command.getErr().println(summary + " -> " + output);
    }

    /** Whether it is a file, or nothing yet: of a device or a pipe there is nothing that could be replaced. */
    private static boolean isReplaceable(String output) {
        try {
            Path file = Path.of(output);
            return !Files.exists(file) || Files.isRegularFile(file);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /**
     * Writes {@code text} to {@code --output}, and says so on standard error, or to standard output for null and {@code -}.
     *
     * @param summary what was written
     */
    static void write(CommandLine command, @Nullable String output, CharSequence text, String summary)
            throws IOException {
        write(command, "--output", output, text, summary);
    }

    /** Likewise, of a file that {@code option} names. */
    static void write(CommandLine command, String option, @Nullable String output, CharSequence text, String summary)
            throws IOException {
        if (output == null || output.equals("-")) {
            command.getOut().append(text);
            StandardOutput.flush(command.getOut());
            return;
        }
        try {
            Files.writeString(Path.of(output), text);
        } catch (InvalidPathException e) {
            throw new InputException(option + " " + output + ": not a file name");
        } catch (NoSuchFileException e) {
            throw new InputException(option + " " + output + ": cannot be written: no such folder");
        } catch (IOException e) {
            throw unwritable(option + " " + output, e);
        }
        command.getErr().println(summary + " -> " + output);
    }

    private static IOException unwritable(String output, IOException reason) {
        return new IOException(
                output + ": cannot be written (" + reason.getClass().getSimpleName() + ")", reason);
    }
}
