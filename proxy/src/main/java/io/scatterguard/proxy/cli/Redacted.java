package io.scatterguard.proxy.cli;

import java.util.regex.Pattern;

/** Messages without the passwords of connection strings that stand where they do not belong, as a file's name for instance. */
final class Redacted {
    /** User and password; one slash where the text was taken for a path. References in the place of a password stay. */
    private static final Pattern CREDENTIALS =
            Pattern.compile("(?<!\\$\\{file):/++(?![^:@/\\s]*:\\$\\{[^}]*}@)(?!\\*\\*\\*@)[^\\s'\"]*@");

    private static final Pattern OPTION = Pattern.compile("(?i)([?&][^=&\\s]*(?:password|token)[^=&\\s]*=)[^&\\s'\"]+");

    private Redacted() {}

    static String of(String message) {
        return OPTION.matcher(CREDENTIALS.matcher(message).replaceAll("://***@"))
                .replaceAll("$1***");
    }
}
