package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.findings.Destination;
import io.scatterguard.proxy.findings.KnownShape;
import io.scatterguard.proxy.findings.ShapeListing;
import io.scatterguard.proxy.findings.Sighting;
import io.scatterguard.proxy.findings.Tally;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shapes as they are answered: the names are those of the audit log, where it has the same. */
final class ShapeFields {
    private ShapeFields() {}

    /** One shape, as {@code opinion} of it says, at the cost of {@code times}. */
    static Map<String, Object> of(
            KnownShape shape, KnownShape.Opinion opinion, Tally.Times times, ShapeListing listing) {
        Sighting.Subject subject = shape.subject();
        Fields fields = new Fields()
                .with("db", emptyToNull(subject.namespace().database()))
                .with("coll", emptyToNull(subject.namespace().collection()))
                .with("command", subject.command());
        if (subject.shapeHash() != null) {
            fields.with(
                    "shape",
                    new Fields()
                            .with("text", subject.shapeText())
                            .with("hash", subject.shapeHash())
                            .map());
        }
        KnownShape.Names apps = shape.clients().apps();
        KnownShape.Names tests = shape.clients().tests();
        return fields.with("route", route(opinion.destination()))
                .with("missing", opinion.destination().missing())
                .with("verdict", verdict(opinion.decision()))
                .with("owner", opinion.decision().owner())
                .with("shardSecondsPerHour", rounded(listing.shardSecondsPerHour(times)))
                .with("counts", counts(shape.tally()))
                .with("apps", apps.names())
                .with("otherApps", apps.others())
                .with("tests", tests.names())
                .with("otherTests", tests.others())
                .with("firstSeen", shape.period().first())
                .with("lastSeen", shape.period().last())
                .map();
    }

    static Map<String, Object> counts(Tally tally) {
        return new Fields()
                .with("commands", tally.commands())
                .with("findings", tally.findings())
                .with("refused", tally.refused())
                .with("wouldRefuse", tally.wouldRefuse())
                .with("exempted", tally.exempted())
                .with("serverMicros", tally.times().serverMicros())
                .with("shardMicros", tally.times().shardMicros())
                .with("findingServerMicros", tally.timesOfFindings().serverMicros())
                .with("findingShardMicros", tally.timesOfFindings().shardMicros())
                .map();
    }

    private static Map<String, Object> route(Destination to) {
        int shards = to.reach().shards();
        return new Fields()
                .with("placement", to.placement())
                .with("shape", to.shape())
                .with("certainty", to.certainty())
                .with("intrinsic", to.intrinsic())
                .with("shardCount", shards < 0 ? null : shards)
                .map();
    }

    private static Map<String, Object> verdict(Sighting.Decision decision) {
        Sighting.Basis basis = decision.basis();
        return new Fields()
                .with("action", decision.action())
                .with("wouldRefuse", decision.wouldRefuse())
                .with("rule", basis == null ? null : basis.rule())
                .with("exemption", basis == null ? null : basis.exemption())
                .map();
    }

    /** Thousandths are enough of a second. */
    private static double rounded(double seconds) {
        return Math.round(seconds * 1_000) / 1_000.0;
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** An object in the making; what is null is left out. */
    private static final class Fields {
        private final Map<String, Object> map = new LinkedHashMap<>();

        Fields with(String name, @Nullable Object value) {
            if (value != null) {
                map.put(name, value);
            }
            return this;
        }

        Map<String, Object> map() {
            return map;
        }
    }
}
