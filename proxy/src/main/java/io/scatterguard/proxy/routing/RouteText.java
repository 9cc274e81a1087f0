package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The prose of a route: which key fields are constrained, which are missing, why, and the nearest fix. Field names only,
 * never values.
 */
public final class RouteText {
    private RouteText() {}

    /**
     * A key field that the command constrains.
     *
     * @param how {@code equality} or {@code range}
     */
    public record Constrained(String field, String how) {}

    /** The key fields that the worst statement constrains, in the order of the key; empty where no key decides. */
    public static List<Constrained> constrained(Route route) {
        List<Constrained> constrained = new ArrayList<>();
        List<ShardKey.Field> fields = fields(route);
        for (int i = 0; i < fields.size(); i++) {
            if (route.worst().constrains(i)) {
                boolean point = (route.worst().pointFields() & (1L << i)) != 0;
                constrained.add(new Constrained(fields.get(i).path(), point ? "equality" : "range"));
            }
        }
        return constrained;
    }

    /** The key fields that the worst statement leaves open, in the order of the key; empty where no key decides. */
    public static List<String> missing(Route route) {
        List<String> missing = new ArrayList<>();
        List<ShardKey.Field> fields = fields(route);
        for (int i = 0; i < fields.size(); i++) {
            if (!route.worst().constrains(i)) {
                missing.add(fields.get(i).path());
            }
        }
        return missing;
    }

    /** One sentence: why the worst statement goes where it goes. */
    public static String why(Route route) {
        StatementRoute worst = route.worst();
        String key = keyName(route);
        return switch (worst.reason()) {
            case NOT_ROUTED -> "The command is not routed by a shard key.";
            case INTRINSIC -> "The command reaches " + shards(route) + " by its nature.";
            case UNSHARDED -> "The collection is not sharded.";
            case FULL_KEY -> "The shard key " + key + " is given in full.";
            case KEY_BOUNDS ->
                "The predicates on the shard key " + key + " leave "
                        + (route.isMostPlacement()
                                ? "at most " + shards(route) + ", as no chunk bounds are known."
                                : shards(route) + ".");
            case EMPTY_BOUNDS ->
                "The predicates on the shard key " + key + " contradict each other, so one shard is asked.";
            case NO_FILTER -> "There is no filter, so every shard with data is asked.";
            case FIRST_FIELD_UNCONSTRAINED ->
                "No usable predicate narrows \"" + firstField(route) + "\", the first field of the shard key " + key
                        + ".";
            case UNSCOPED_OR_BRANCH ->
                "A branch of the $or does not constrain \"" + firstField(route)
                        + "\", the first field of the shard key " + key + ".";
            case EXACT_ID_BROADCAST ->
                "A write by _id without the shard key " + key + " is sent to every shard that could hold it.";
            case WRITE_BROADCAST ->
                "The write concerns several shards by the shard key " + key
                        + ", so it is sent to every shard of the cluster.";
            case COORDINATED_WRITE ->
                "A write of many documents is handed to the database's primary, which sends it on to the shards by the"
                        + " shard key " + key + ".";
            case TWO_PHASE_WRITE ->
                "The shard key " + key + " is not given in full, so the router first searches " + shards(route)
                        + " for the document.";
            case COLLATION ->
                "Under the statement's collation the router cannot use text on the shard key " + key + ".";
            case NOT_UNDERSTOOD -> "Part of the command is not understood, so the shards are an upper bound.";
            case AMBIGUOUS -> "A field of the command that decides where it goes stands twice.";
            case CATALOG_UNKNOWN -> "The metadata of the namespace is not known, so the shards are an upper bound.";
            case PREDICTED_ERROR -> "The router answers with " + errorName(worst) + ".";
        };
    }

    /** One sentence where the release itself makes the route doubtful; empty where its rules are known. */
    public static String ofRelease(Route route) {
        return route.release().isBeyondKnown()
                ? "The rules of release " + route.release() + " are not known; those of " + RouterRelease.NEWEST_KNOWN
                        + " are applied."
                : "";
    }

    /** The nearest fix, one short imperative clause; empty where nothing is to be fixed. */
    public static String fix(Route route) {
        return switch (route.worst().reason()) {
            case NOT_ROUTED, INTRINSIC, UNSHARDED, FULL_KEY, EMPTY_BOUNDS, NOT_UNDERSTOOD -> "";
            case KEY_BOUNDS -> missing(route).isEmpty() ? "" : "add equality on " + quoted(missing(route));
            case NO_FILTER, FIRST_FIELD_UNCONSTRAINED ->
                isHashed(route)
                        ? "add equality on \"" + firstField(route) + "\""
                        : "add a predicate on \"" + firstField(route) + "\"";
            case UNSCOPED_OR_BRANCH -> "constrain \"" + firstField(route) + "\" in every branch of the $or";
            case EXACT_ID_BROADCAST, TWO_PHASE_WRITE -> "add equality on " + quoted(open(route));
            case WRITE_BROADCAST, COORDINATED_WRITE ->
                "narrow " + quoted(open(route)) + " to one shard, by equality at best";
            case COLLATION -> "use the simple collation for this statement";
            case AMBIGUOUS -> "give every field once";
            case CATALOG_UNKNOWN -> "make the cluster's metadata readable";
            case PREDICTED_ERROR -> errorFix(route);
        };
    }

    private static String errorFix(Route route) {
        PredictedError error = route.worst().error();
        if (error == null) {
            return "";
        }
        return switch (error) {
            case BAD_VALUE -> "correct the filter";
            case UNSUPPORTED_FORMAT -> "use either operators or plain fields in the update";
            case ILLEGAL_OPERATION -> "use an operation that the collection allows";
            case NAMESPACE_NOT_FOUND -> "create the collection first";
            case SHARD_KEY_NOT_FOUND -> "give the full shard key " + keyName(route) + " by equality";
            case INVALID_OPTIONS -> "give the full shard key " + keyName(route) + " by equality, or use multi: true";
            case KEY_UPDATE_WITHOUT_KEY -> WouldFail.Cause.KEY_CHANGE_WITHOUT_KEY.fix();
            case NOT_SINGLE_VALUE_FIELD -> WouldFail.Cause.ARRAY_IN_KEY.fix();
            case CANNOT_CREATE_INDEX -> WouldFail.Cause.UNIQUE_INDEX_WITHOUT_KEY.fix();
            case COMMAND_NOT_SUPPORTED_ON_VIEW -> "use the collection that the view reads";
            case OPTION_NOT_SUPPORTED_ON_VIEW -> "leave the collation out: a view has its own";
            case STALE_CHUNK_HISTORY -> "read at a later cluster time";
            case TOO_MANY_RANGES -> "shorten the lists of values on the shard key";
            case META_EXPRESSION_IN_OR -> "compare the meta field without $expr";
            case NO_TIME_VALUE -> "give every measurement a date in its time field";
        };
    }

    private static List<String> open(Route route) {
        return open(route, route.worst());
    }

    /** The fields that {@code statement} does not pin by equality; the whole key if it pins all. */
    static List<String> open(Route route, StatementRoute statement) {
        List<String> open = new ArrayList<>();
        List<ShardKey.Field> fields = fields(route);
        for (int i = 0; i < fields.size(); i++) {
            if ((statement.pointFields() & (1L << i)) == 0) {
                open.add(fields.get(i).path());
            }
        }
        if (open.isEmpty()) {
            for (int i = 0; i < fields.size(); i++) {
                open.add(fields.get(i).path());
            }
        }
        return open;
    }

    private static String quoted(List<String> fields) {
        return "\"" + String.join("\", \"", fields) + "\"";
    }

    private static String shards(Route route) {
        if (!route.isPlaced()) {
            return "shards that are not known";
        }
        int count = route.shards().union(route.contacted()).size();
        return count == 1 ? "1 shard" : count + " shards";
    }

    private static String errorName(StatementRoute statement) {
        PredictedError error = statement.error();
        return error == null ? "an error" : error.codeName() + " (" + error.code() + ")";
    }

    /** The key fields to speak of, at most as many as a long has bits; none where no key decides. */
    static List<ShardKey.Field> fields(Route route) {
        RoutingTable table = route.table();
        if (table == null || route.kind() != Route.Kind.ROUTED) {
            return List.of();
        }
        List<ShardKey.Field> fields = table.shardKey().fields();
        return fields.subList(0, Math.min(fields.size(), Long.SIZE));
    }

    private static String keyName(Route route) {
        RoutingTable table = route.table();
        if (table == null) {
            return "of the collection";
        }
        Namespace viewOn = route.viewOn();
        return table.shardKey() + (viewOn == null ? "" : " of " + viewOn.fullName() + ", which the view reads");
    }

    private static String firstField(Route route) {
        List<ShardKey.Field> fields = fields(route);
        return fields.isEmpty() ? "" : fields.get(0).path();
    }

    private static boolean isHashed(Route route) {
        List<ShardKey.Field> fields = fields(route);
        return !fields.isEmpty() && fields.get(0).hashed();
    }
}
