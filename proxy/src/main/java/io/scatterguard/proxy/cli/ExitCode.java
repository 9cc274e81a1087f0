package io.scatterguard.proxy.cli;

/** The exit codes of the program. */
public enum ExitCode {
    OK(0),
    /**
     * Something failed while running: an address that cannot be bound, a cluster that cannot be read, a demo that went
     * otherwise than expected, a catalog with problems.
     */
    FAILED(1),
    /** The command line, the configuration or an input file is wrong; nothing was started. */
    USAGE(2),
    /** Everything ran, and there are findings that were asked to be a failure. No program that is run uses it by itself. */
    FINDINGS(ExitCode.FINDINGS_CODE);

    static final int FINDINGS_CODE = 61;

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
