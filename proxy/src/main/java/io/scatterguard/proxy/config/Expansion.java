package io.scatterguard.proxy.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${NAME}} by an environment variable and {@code ${file:path}} by a file's content without its trailing
 * line breaks. A doubled dollar sign before the brace keeps the text as it is, with one dollar sign. What was inserted
 * is not expanded again.
 *
 * @param environment the variables
 * @param folder what a relative path of {@code ${file:…}} is relative to
 * @param reads is told every file that is read, also one that cannot be
 */
record Expansion(Map<String, String> environment, Path folder, Consumer<Path> reads) {
    private static final Pattern REFERENCE = Pattern.compile("\\$?\\$\\{([^}]*)(}?)");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern TRAILING_LINE_BREAKS = Pattern.compile("[\\r\\n]+\\z");
    private static final String FILE = "file:";
    private static final long MAX_FILE_BYTES = 1 << 16;

    /** One whose files nobody is told of. */
    Expansion(Map<String, String> environment, Path folder) {
        this(environment, folder, file -> {});
    }

    /**
     * The text with every reference replaced.
     *
     * @throws IllegalArgumentException if something it refers to is not there; the message names it, not its content
     */
    String expand(String text) {
        if (!text.contains("${")) {
            return text;
        }
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            String found = matcher.group();
            String value = found.startsWith("$$") ? found.substring(1) : valueOf(matcher.group(1), matcher.group(2));
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(expanded).toString();
    }

    private String valueOf(String name, String end) {
        if (end.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"${\" without \"}\" (expected: ${NAME} or ${file:path}; $${ for itself)");
        }
        if (name.startsWith(FILE)) {
            return contentOf(name.substring(FILE.length()));
        }
        if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException("${" + name + "}: not a variable (expected: ${NAME} or ${file:path})");
        }
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("${" + name + "}: the environment variable is not set");
        }
        return value;
    }

    private String contentOf(String name) {
        try {
            Path file = folder.resolve(name);
            reads.accept(file);
            long size = Files.size(file);
            if (size > MAX_FILE_BYTES) {
                throw new IllegalArgumentException(
                        "${file:" + name + "}: " + size + " bytes (expected: at most " + MAX_FILE_BYTES + ")");
            }
            return TRAILING_LINE_BREAKS.matcher(Files.readString(file)).replaceFirst("");
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "${file:" + name + "}: cannot be read (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    /** The names only: the environment holds secrets. */
    @Override
    public String toString() {
        return "Expansion[" + environment.size() + " variables, " + folder + "]";
    }
}
