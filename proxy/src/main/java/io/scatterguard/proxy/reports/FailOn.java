package io.scatterguard.proxy.reports;

/** Which findings are a failure. */
public enum FailOn {
    /** Those that are not in the baseline. */
    NEW,
    ANY,
    NONE;

    public boolean isFailure(Finding finding) {
        return switch (this) {
            case NEW -> !finding.known();
            case ANY -> true;
            case NONE -> false;
        };
    }
}
