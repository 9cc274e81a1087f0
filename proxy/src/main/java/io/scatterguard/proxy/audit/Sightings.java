package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.findings.Destination;
import io.scatterguard.proxy.findings.Sighting;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the table of shapes what a record would say. */
final class Sightings {
    private static final String TEST = "test:";

    private Sightings() {}

    static Sighting of(AuditEvent.Subject subject, Route route, Verdict verdict, AuditSource source) {
        QueryShape shape = subject.shape();
        return new Sighting(
                new Sighting.Subject(
                        subject.namespace(),
                        subject.command(),
                        shape == null ? null : shape.text(),
                        shape == null ? null : shape.hash()),
                Destination.of(route),
                Sighting.Decision.of(verdict, source.owner()),
                source.client().appName(),
                tests(subject.comment()));
    }

    /** The names in the {@code test:} tags among the recognised parts of a comment. */
    private static List<String> tests(@Nullable String parts) {
        if (parts == null || !parts.contains(TEST)) {
            return List.of();
        }
        List<String> tests = new ArrayList<>(1);
        for (String part : parts.split(" ", -1)) {
            if (part.startsWith(TEST)) {
                tests.add(part.substring(TEST.length()));
            }
        }
        return tests;
    }
}
