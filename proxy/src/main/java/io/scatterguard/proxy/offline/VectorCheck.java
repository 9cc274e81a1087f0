package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * Checks a targeting vector (targeting semantics §20, addendum §E): the shards that are contacted are exactly
 * {@code expectShards}, the error is {@code expectError} or none, and {@code numHostsTargeted} and {@code protocol} are
 * right where they are given. The first hop to a database's primary that a time-series collection needs is not counted.
 */
final class VectorCheck {
    private static final String FREE = "4.4-8.0";

    private final Members vector;

    VectorCheck(Members vector) {
        this.vector = vector;
    }

    /** @param only the release to check for; null for representatives of those the vector holds for */
    Outcome check(@Nullable RouterRelease only) {
        String id = vector.string("id");
        boolean measured = !vector.has("versions");
        Releases releases = Releases.parse(vector.string("versions", FREE));
        if (only != null && !releases.contains(only)) {
            return Outcome.skipped(id, "holds for " + vector.string("versions", FREE));
        }
        List<RouterRelease> tried =
                only != null ? List.of(only) : measured ? List.of(new RouterRelease(6, 3)) : releases.representatives();
        List<Outcome.Finding> findings = new ArrayList<>(tried.size());
        for (RouterRelease release : tried) {
            Prediction prediction =
                    Prediction.of(VectorCatalog.DATABASE, command(), VectorCatalog.of(vector, release), release);
            findings.add(new Outcome.Finding(release, prediction, disagreement(prediction)));
        }
        return Outcome.of(id, findings);
    }

    private BsonDocument command() {
        BsonDocument command = vector.document("command").clone();
        if (vector.flag("inTransaction")) {
            command.append("txnNumber", new BsonInt64(1)).append("autocommit", BsonBoolean.FALSE);
        }
        if (vector.flag("retryable")) {
            command.putIfAbsent("lsid", new BsonDocument("id", new BsonBinary(new UUID(0, 1))));
            command.putIfAbsent("txnNumber", new BsonInt64(1));
        }
        return command;
    }

    private String disagreement(Prediction prediction) {
        List<String> expected =
                vector.strings("expectShards").stream().distinct().sorted().toList();
        Integer code =
                vector.has("expectError") ? (Integer) new Members(vector.document("expectError")).number("code") : null;
        PredictedError error = prediction.error();
        if (!Objects.equals(code, error == null ? null : error.code())) {
            return "error " + code + " expected, " + error + " predicted on " + prediction.shards();
        }
        if (!expected.equals(prediction.shards())) {
            return "shards " + expected + " expected, " + prediction.shards()
                    + (prediction.upperBound() ? " at most" : "") + " predicted";
        }
        return labels(prediction);
    }

    private String labels(Prediction prediction) {
        String placement =
                prediction.placement() == null ? "none" : prediction.placement().text();
        String counted = vector.string("numHostsTargeted", placement);
        if (!counted.equals(placement)) {
            return "numHostsTargeted " + counted + " expected, " + placement + " predicted";
        }
        Reason reason = prediction.route().worst().reason();
        boolean broadcast = reason == Reason.WRITE_BROADCAST || reason == Reason.EXACT_ID_BROADCAST;
        boolean protocol = switch (vector.string("protocol", "")) {
            case "broadcast" -> broadcast;
            case "twoPhase" -> reason == Reason.TWO_PHASE_WRITE;
            default -> true;
        };
        return protocol ? "" : "protocol " + vector.string("protocol") + " expected, " + reason + " predicted";
    }
}
