package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.RawCatalog;
import java.io.IOException;
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

    /** The text of a file, or of standard input for {@code -}. */
    static String text(String file) {
        if (!file.equals(STANDARD_INPUT)) {
            try {
                return text(Path.of(file));
            } catch (InvalidPathException e) {
                throw new InputException(file + ": not a file name");
            }
        }
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InputException("standard input: cannot be read (" + e.getMessage() + ")");
        }
    }

    static String name(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    /** The catalog in a file, or in standard input for {@code -}. */
    static RawCatalog catalog(String file) {
        try {
            return CatalogDump.read(text(file));
        } catch (CatalogException e) {
            throw new InputException(name(file) + ": " + e.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": no such file");
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": not UTF-8");
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }
}
