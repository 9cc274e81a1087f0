package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.findings.Destination;
import io.scatterguard.proxy.findings.Sighting;
import io.scatterguard.proxy.findings.TestNames;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;

/** Tells the table of shapes what a record would say. */
final class Sightings {
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
                TestNames.of(subject.comment(), source.client().appName()));
    }
}
