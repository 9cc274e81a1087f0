package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Checks a command against what a real router did with it: {@code {id, ns, command, shards?, explainError?, counted?,
 * error?}}.
 *
 * <ul>
 *   <li>{@code shards} are those that {@code explain} of the command targeted, and those that the outcome names, {@code explainError} the error it gave
 *       instead: compared with the prediction for the {@code explain}, which never broadcasts a write.
 *   <li>{@code counted}, the increments of {@code numHostsTargeted} while the command ran, like {@code {"find.oneShard":
 *       1}}: compared with the placement.
 *   <li>{@code error}, what the command itself gave: compared with the predicted error.
 * </ul>
 *
 * <p>An error says something about the router only if the router raised it. Where the line shows that the command had been
 * targeted, because {@code shards} or {@code counted} are there, an error that is not predicted came from a shard that ran
 * the command: it does not count as a disagreement, and is named in {@link Outcome#unpredicted}.
 */
final class RecordedCheck {
    private final CatalogSnapshot catalog;
    private final RouterRelease release;

    RecordedCheck(CatalogSnapshot catalog, RouterRelease release) {
        this.catalog = catalog;
        this.release = release;
    }

    Outcome check(Members line) {
        String id = line.string("id");
        BsonDocument command = line.document("command");
        String database = line.database(command);
        Prediction prediction = Prediction.of(database, command, catalog, release);
        Prediction explained = Prediction.of(
                database,
                new BsonDocument("explain", command).append("$db", new BsonString(database)),
                catalog,
                release);
        Prediction shown = explained.error() == null ? prediction.explainedAs(targeted(explained)) : prediction;
        Observed observed = Observed.of(line);
        if (observed.isNothing()) {
            return new Outcome(id, release, shown, null, "", null, null);
        }
        String disagreement = disagreement(observed, command, prediction, explained);
        return new Outcome(
                id, release, shown, disagreement.isEmpty(), disagreement, unpredicted(observed, prediction), null);
    }

    private static @Nullable Integer unpredicted(Observed observed, Prediction prediction) {
        PredictedError predicted = prediction.error();
        boolean same = predicted != null && Objects.equals(predicted.code(), observed.error());
        return observed.targeted() && !same ? observed.error() : null;
    }

    private static String disagreement(
            Observed observed, BsonDocument command, Prediction prediction, Prediction explained) {
        if (observed.shards() != null && explained.error() != null) {
            return "explain: shards " + observed.shards() + " recorded, " + explained.error() + " predicted";
        }
        if (observed.shards() != null && !observed.shards().equals(targeted(explained))) {
            return "explain: shards " + observed.shards() + " recorded, " + targeted(explained) + " predicted";
        }
        if (observed.explainError() != null) {
            String explain = error("explain: ", observed.explainError(), explained, observed.targeted());
            if (!explain.isEmpty()) {
                return explain;
            }
        }
        String error = observed.isRun() ? error("", observed.error(), prediction, observed.targeted()) : "";
        return error.isEmpty() ? counted(observed.counted(), command, prediction) : error;
    }

    /** A merging shard and a first hop are not among the shards of an {@code explain}. */
    private static List<String> targeted(Prediction explained) {
        return explained.route().registry().names(explained.route().shards()).stream()
                .sorted()
                .toList();
    }

    private static String error(String what, @Nullable Integer recorded, Prediction prediction, boolean targeted) {
        PredictedError predicted = prediction.error();
        if (recorded != null && predicted == null && targeted) {
            return "";
        }
        return Objects.equals(recorded, predicted == null ? null : predicted.code())
                ? ""
                : what + "error " + recorded + " recorded, " + predicted + " predicted on " + prediction.shards();
    }

    private static String counted(Map<String, Integer> counted, BsonDocument command, Prediction prediction) {
        if (counted.isEmpty()) {
            return "";
        }
        String label =
                prediction.placement() == null ? "none" : prediction.placement().text();
        // On a view and the like a read of any kind is counted as the aggregation that it becomes.
        List<String> right = List.of(command.getFirstKey() + "." + label, "aggregate." + label);
        boolean same = right.containsAll(counted.keySet());
        return same ? "" : "counted " + counted + ", " + label + " predicted";
    }

    /**
     * What a line recorded.
     *
     * @param isRun whether it says how the command itself went
     */
    private record Observed(
            @Nullable List<String> shards,
            @Nullable Integer explainError,
            @Nullable Integer error,
            boolean isRun,
            Map<String, Integer> counted) {

        static Observed of(Members line) {
            List<String> shards = line.has("shards")
                    ? line.strings("shards").stream().distinct().sorted().toList()
                    : null;
            boolean run = line.has("ok") || line.has("error");
            return new Observed(shards, code(line, "explainError"), code(line, "error"), run, counted(line));
        }

        private static @Nullable Integer code(Members line, String name) {
            return line.has(name) ? (Integer) new Members(line.document(name)).number("code") : null;
        }

        private static Map<String, Integer> counted(Members line) {
            Map<String, Integer> counted = new TreeMap<>();
            if (line.has("counted")) {
                BsonDocument counters = line.document("counted");
                counters.keySet().forEach(name -> count(name, new Members(counters).number(name), counted));
            }
            return counted;
        }

        private static void count(String name, int increment, Map<String, Integer> counted) {
            if (increment < 0) {
                throw new LineFormatException("counted: \"" + name + "\": " + increment
                        + " (expected: an increment of a counter, 0 or more)");
            }
            if (increment > 0) {
                counted.put(name, increment);
            }
        }

        boolean isNothing() {
            return shards == null && explainError == null && !isRun && counted.isEmpty();
        }

        /** Whether the router sent the command to a shard. */
        boolean targeted() {
            return shards != null || !counted.isEmpty();
        }
    }
}
