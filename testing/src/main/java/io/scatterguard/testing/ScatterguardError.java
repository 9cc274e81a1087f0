package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Finding;
import java.util.List;
import org.opentest4j.AssertionFailedError;

/** A test had findings. The message names each by its id, with query, reason and fix, and holds no values of commands. */
public final class ScatterguardError extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    ScatterguardError(String message, List<Finding> findings) {
        super(message);
        this.findings = List.copyOf(findings);
    }

    /** What failed the test, the costliest first. */
    public List<Finding> findings() {
        return findings;
    }

    /** Their ids: hashes of query shapes, as in audit records and baselines. */
    public List<String> ids() {
        return findings.stream().map(Finding::id).toList();
    }
}
