package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads what the command line names as input. Whatever is wrong with it is an {@link InputException} that names it. */
final class InputFile {
    private static final String STANDARD_INPUT = "-";

    private InputFile() {}

    static boolean isStandardInput(String file) {
        return file.equals(STANDARD_INPUT);
    }

    /** The text of a file, or of standard input for {@code -}. */
    static String text(String file) {
        try (InputStream in = open(file)) {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.readAllBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InputException(name(file) + ": not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** The lines of a file, or of standard input for {@code -}. */
    static InputLines lines(String file) {
        return new InputLines(open(file));
    }

    private static InputStream open(String file) {
        if (isStandardInput(file)) {
            return new BufferedInputStream(System.in);
        }
        try {
            return new BufferedInputStream(Files.newInputStream(Path.of(file)));
        } catch (InvalidPathException e) {
            throw new InputException(file + ": not a file name");
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": no such file");
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** That {@code file} could be opened but not read. */
    static InputException unreadable(String file, IOException reason) {
        return new InputException(
                name(file) + ": cannot be read (" + reason.getClass().getSimpleName() + ")");
    }

    static String name(String file) {
        return isStandardInput(file) ? "standard input" : file;
    }

    /** The dump in a file, or in standard input for {@code -}. */
    static CatalogDump dump(String file) {
        try {
            return CatalogDump.parse(text(file));
        } catch (CatalogException e) {
            throw new InputException(name(file) + ": " + e.getMessage());
        }
    }
}
