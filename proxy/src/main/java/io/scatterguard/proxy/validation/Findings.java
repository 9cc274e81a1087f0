package io.scatterguard.proxy.validation;

import io.scatterguard.proxy.validation.Finding.Severity;
import java.util.List;

/**
 * What is found about one subject, in the order in which it is found.
 *
 * @param subject the namespace or database
 * @param all where findings are added, together with those of other subjects
 */
record Findings(String subject, List<Finding> all) {
    void error(String check, String what, String fix) {
        all.add(new Finding(Severity.ERROR, check, subject, what, fix));
    }

    void warning(String check, String what, String fix) {
        all.add(new Finding(Severity.WARNING, check, subject, what, fix));
    }

    void note(String check, String what, String fix) {
        all.add(new Finding(Severity.NOTE, check, subject, what, fix));
    }
}
