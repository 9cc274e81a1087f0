package io.scatterguard.proxy.sources;

/** The languages that are scanned, as far as their comments and strings go. */
enum Syntax {
    JAVA,
    KOTLIN,
    JAVASCRIPT,
    PHP,
    /** What stands in a comment of PHP as annotations. */
    ANNOTATIONS,
    RUBY,
    PYTHON;

    boolean slashComments() {
        return this == JAVA || this == KOTLIN || this == JAVASCRIPT || this == PHP;
    }

    boolean hashComments() {
        return this == PHP || this == RUBY || this == PYTHON;
    }

    boolean tripleQuotes(char quote) {
        return this == PYTHON || (quote == '"' && (this == JAVA || this == KOTLIN));
    }

    boolean isQuote(char c) {
        return c == '"' || (c == '\'' && this != ANNOTATIONS) || (c == '`' && this == JAVASCRIPT);
    }

    /** Whether a string may go on in the next line. */
    boolean isMultiline(char quote) {
        return this == PHP || this == RUBY || quote == '`';
    }

    boolean regexLiterals() {
        return this == JAVASCRIPT || this == RUBY;
    }

    /** Whether something between quotes is not what it says but what comes out when the program runs. */
    boolean interpolates(char quote, String content) {
        return switch (this) {
            case KOTLIN -> content.indexOf('$') >= 0;
            case JAVASCRIPT -> quote == '`' && content.contains("${");
            case PHP -> quote == '"' && content.indexOf('$') >= 0;
            case RUBY -> quote == '"' && content.contains("#{");
            case JAVA, ANNOTATIONS, PYTHON -> false;
        };
    }
}
