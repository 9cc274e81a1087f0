package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Where a command of the command line puts its text: a file, or standard output. */
final class OutputFile {
    private OutputFile() {}

    /**
     * Writes {@code text} to {@code --output}, and says so on standard error, or to standard output for null and {@code -}.
     *
     * @param summary what was written
     */
    static void write(CommandLine command, @Nullable String output, CharSequence text, String summary)
            throws IOException {
        if (output == null || output.equals("-")) {
            command.getOut().append(text);
            StandardOutput.flush(command.getOut());
            return;
        }
        try {
            Files.writeString(Path.of(output), text);
        } catch (InvalidPathException e) {
            throw new InputException("--output " + output + ": not a file name");
        } catch (NoSuchFileException e) {
            throw new InputException("--output " + output + ": cannot be written: no such folder");
        } catch (IOException e) {
            throw new IOException(
                    "--output " + output + ": cannot be written ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
        command.getErr().println(summary + " -> " + output);
    }
}
