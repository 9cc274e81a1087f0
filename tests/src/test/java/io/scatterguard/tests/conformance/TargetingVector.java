package io.scatterguard.tests.conformance;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** One targeting vector: a command on a described collection, and the shards a router contacts for it. */
record TargetingVector(BsonDocument document) {
    /** In {@code versions}: a vector of just one release. */
    private static final String ONE_RELEASE = "\\d+\\.\\d+";

    /** How a prediction compares with what is expected. */
    enum Outcome {
        EXACT,
        UPPER_BOUND,
        WRONG
    }

    /** The outcome, and what there is to say about it. */
    record Result(Outcome outcome, String detail) {}

    String id() {
        return document.getString("id").getValue();
    }

    private String versions() {
        return document.getString("versions", new BsonString("")).getValue();
    }

    boolean holdsFor63() {
        return switch (versions()) {
            case ">=7.1", ">=8.0" -> false;
            default -> !versions().matches(ONE_RELEASE) || versions().equals("6.3");
        };
    }

    RouterRelease release() {
        return switch (versions()) {
            case ">=7.1" -> new RouterRelease(7, 1);
            case ">=8.0" -> new RouterRelease(8, 0);
            default -> versions().matches(ONE_RELEASE) ? RouterRelease.parse(versions()) : new RouterRelease(6, 3);
        };
    }

    Route route() {
        BsonDocument command = document.getDocument("command").clone();
        String database =
                command.getString("$db", new BsonString(VectorCatalog.DATABASE)).getValue();
        if (document.getBoolean("inTransaction", BsonBoolean.FALSE).getValue()) {
            command.append("txnNumber", new BsonInt64(1)).append("autocommit", BsonBoolean.FALSE);
        }
        CatalogSnapshot catalog = VectorCatalog.of(document);
        return new KeyRouter().route(CommandView.of(database, BsonView.encode(command)), catalog, release());
    }

    Result result() {
        Route route = route();
        TreeSet<String> expected = new TreeSet<>();
        document.getArray("expectShards").forEach(s -> expected.add(s.asString().getValue()));
        // The vectors of time series leave out the first hop to the database's primary.
        boolean finalOnly = document.containsKey("timeseries");
        ShardSet contacted = finalOnly ? route.shards() : route.shards().union(route.contacted());
        TreeSet<String> predicted = new TreeSet<>(route.registry().names(contacted));
        boolean upperBound = route.certainty() == Certainty.UPPER_BOUND;
        if (document.containsKey("expectError")) {
            int code = document.getDocument("expectError").getInt32("code").getValue();
            PredictedError error = route.worst().error();
            boolean same = error != null && error.code() == code;
            Outcome outcome = same ? Outcome.EXACT : upperBound ? Outcome.UPPER_BOUND : Outcome.WRONG;
            return new Result(outcome, "expected error " + code + ", predicted " + error + " on " + predicted);
        }
        String detail = "expected " + expected + ", predicted " + predicted + (upperBound ? " at most" : "");
        if (upperBound) {
            return new Result(predicted.containsAll(expected) ? Outcome.UPPER_BOUND : Outcome.WRONG, detail);
        }
        if (!predicted.equals(expected)) {
            return new Result(Outcome.WRONG, detail);
        }
        String counter =
                document.getString("numHostsTargeted", new BsonString("")).getValue();
        boolean counted = counter.isEmpty() || counter.equals(route.placement().text());
        return new Result(
                counted ? Outcome.EXACT : Outcome.WRONG,
                detail + ", counted " + counter + ", predicted "
                        + route.placement().text());
    }

    static List<TargetingVector> all() {
        return Stream.of("targeting-from-tests.jsonl", "found-by-fuzzing.jsonl")
                .flatMap(file -> VectorFile.read(file).stream())
                .map(TargetingVector::new)
                .toList();
    }

    @Override
    public String toString() {
        return id() + " " + document.getDocument("command").toJson();
    }
}
