package io.scatterguard.proxy.cli;

/** What was given on the command line, or in a file that it names, cannot be used. Ends with {@link ExitCode#USAGE}. */
final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what, its value and the fix */
    InputException(String message) {
        super(message);
    }
}
