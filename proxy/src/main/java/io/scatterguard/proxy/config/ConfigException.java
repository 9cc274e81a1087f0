package io.scatterguard.proxy.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. Its message lists everything that is wrong, not only the first. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigError> errors;

    /**
     * @param source the file's name, or another word for where the text came from
     * @param errors at least one
     */
    public ConfigException(String source, List<ConfigError> errors) {
        super(text(source, errors));
        this.errors = inOrderOfLines(errors);
    }

    /** What is wrong, in the order of the file. */
    public List<ConfigError> errors() {
        return errors;
    }

    private static List<ConfigError> inOrderOfLines(List<ConfigError> errors) {
        return errors.stream()
                .sorted(Comparator.comparingInt(ConfigError::line))
                .toList();
    }

    private static String text(String source, List<ConfigError> errors) {
        String count = errors.size() == 1 ? "1 error" : errors.size() + " errors";
        return inOrderOfLines(errors).stream()
                .map(error -> "\n  " + error)
                .collect(Collectors.joining("", "configuration " + source + ": " + count, ""));
    }
}
