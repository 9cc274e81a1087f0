package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Finding;

/** Which findings fail a test. */
public enum FailOn {
    /** Those that are not in the baseline. */
    NEW,
    /** All of them. */
    ANY,
    /** None: they are published as a report entry of the test, and the test goes on. */
    NONE;

    boolean fails(Finding finding) {
        return this == ANY || (this == NEW && !finding.known());
    }
}
