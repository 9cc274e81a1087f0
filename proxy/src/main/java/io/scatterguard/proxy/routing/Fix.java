package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nearest fix of a command. Names of fields only, never values.
 *
 * @param clause what to do, a short imperative clause; empty if there is nothing
 * @param fields which fields of the shard key the filter should give besides, in the order of the key; empty where a filter is
 *     not what is to be changed, or where its fields are called otherwise than those of the key
 * @param statement whose filter: the position in the batch, from 0
 */
public record Fix(String clause, List<String> fields, int statement) {
    /** Nothing is to be fixed. */
    public static final Fix NONE = new Fix("", List.of(), 0);

    /** Where the key is given, but so that the router cannot use it. */
    private static final Set<Note.Name> NEARER =
            EnumSet.of(Note.Name.KEY_UNDER_WRONG_PATH, Note.Name.MATCH_AFTER_LIMIT);

    public Fix {
        fields = List.copyOf(fields);
    }

    /**
     * The fix of a command that goes along {@code route}.
     *
     * @param wouldFail what a cluster would refuse about it, which is to be fixed first if it is certain; null if nothing
     * @param notes on the command: one may know better than the route what to do
     */
    public static Fix of(Route route, @Nullable WouldFail wouldFail, List<Note> notes) {
        if (wouldFail != null && wouldFail.certain()) {
            int statement = wouldFail.statement();
            return new Fix(wouldFail.cause().fix(), named(route, ofFailure(route, wouldFail)), statement);
        }
        for (Note note : notes) {
            if (NEARER.contains(note.name())) {
                return new Fix(note.fix(), List.of(), note.statement());
            }
        }
        return new Fix(RouteText.fix(route), named(route, ofReason(route)), route.worstIndex());
    }

    /** What a view reads, and buckets, have fields of other names than the filter. */
    private static List<String> named(Route route, List<String> fields) {
        RoutingTable table = route.table();
        boolean renamed =
                route.viewOn() != null || (table != null && table.collection().timeseriesFields() != null);
        return renamed ? List.of() : fields;
    }

    private static List<String> ofReason(Route route) {
        return switch (route.worst().reason()) {
            case NOT_ROUTED,
                    INTRINSIC,
                    UNSHARDED,
                    FULL_KEY,
                    EMPTY_BOUNDS,
                    NOT_UNDERSTOOD,
                    COLLATION,
                    AMBIGUOUS,
                    CATALOG_UNKNOWN -> List.of();
            case KEY_BOUNDS, NO_FILTER, FIRST_FIELD_UNCONSTRAINED, UNSCOPED_OR_BRANCH -> RouteText.missing(route);
            case EXACT_ID_BROADCAST, TWO_PHASE_WRITE, WRITE_BROADCAST, COORDINATED_WRITE ->
                RouteText.open(route, route.worst());
            case PREDICTED_ERROR ->
                isWantOfKey(route.worst().error()) ? RouteText.open(route, route.worst()) : List.of();
        };
    }

    private static boolean isWantOfKey(@Nullable PredictedError error) {
        return error == PredictedError.SHARD_KEY_NOT_FOUND
                || error == PredictedError.INVALID_OPTIONS
                || error == PredictedError.KEY_UPDATE_WITHOUT_KEY;
    }

    private static List<String> ofFailure(Route route, WouldFail wouldFail) {
        return switch (wouldFail.cause()) {
            case UPDATE_ONE_WITHOUT_KEY,
                    DELETE_ONE_WITHOUT_KEY,
                    FIND_AND_MODIFY_WITHOUT_KEY,
                    UPSERT_WITHOUT_KEY,
                    KEY_CHANGE_WITHOUT_KEY -> {
                int statement = wouldFail.statement();
                boolean listed = statement < route.statements().size();
                yield RouteText.open(route, listed ? route.statements().get(statement) : route.worst());
            }
            case DOCUMENT_WITHOUT_KEY,
                    ARRAY_IN_KEY,
                    KEY_CHANGE_OF_MANY,
                    KEY_CHANGE_NOT_RETRYABLE,
                    UNIQUE_INDEX_WITHOUT_KEY,
                    TOO_MANY_RANGES -> List.of();
        };
    }
}
