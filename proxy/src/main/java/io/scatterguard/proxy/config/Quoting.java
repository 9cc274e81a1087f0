package io.scatterguard.proxy.config;

import java.util.regex.Pattern;

/** How a value of the file stands in an error message: quoted, on one line, short, without credentials. */
final class Quoting {
    private static final int MAX_LENGTH = 80;
    private static final Pattern CREDENTIALS = Pattern.compile("://.*@", Pattern.DOTALL);
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

    private Quoting() {}

    /** The value in double quotes. A connection string that ended up under the wrong key keeps its secret even so. */
    static String quoted(String value) {
        String clean = CONTROL.matcher(CREDENTIALS.matcher(value).replaceAll("://***@"))
                .replaceAll(" ");
        return '"' + (clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH) + "…") + '"';
    }
}
