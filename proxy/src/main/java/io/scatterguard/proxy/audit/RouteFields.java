package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes what a record says of the route: where to, by which key, why, and each statement of a batch. */
final class RouteFields {
    /** How many statements, and how many shards, a record lists. */
    static final int MAX_LISTED = 100;

    /** The longest sentence kept. */
    private static final int MAX_WHY_CHARS = 1_024;

    private final Function<Route, String> why;

    RouteFields(Function<Route, String> why) {
        this.why = why;
    }

    /** Writes nothing for a command that is not routed. */
    void write(JsonFields fields, Route route) throws IOException {
        if (route.kind() == Route.Kind.NOT_ROUTED) {
            return;
        }
        fields.object("route", () -> route(fields, route));
        if (KeyFields.apply(route)) {
            key(fields, route);
        }
        fields.text("why", why.apply(route), MAX_WHY_CHARS);
        if (route.statements().size() > 1) {
            statements(fields, route);
        }
    }

    private static void route(JsonFields fields, Route route) throws IOException {
        RoutingTable table = route.table();
        fields.text("placement", route.placement().text());
        fields.text("shape", text(route.shape()));
        fields.text("certainty", route.certainty().text());
        fields.bool("intrinsic", route.isIntrinsic());
        shards(fields, "shards", route, route.shards());
        fields.number("shardCount", route.shards().size());
        fields.number("shardTotal", route.registry().registered().size());
        if (!route.contacted().isEmpty()) {
            shards(fields, "contacted", route, route.contacted());
        }
        fields.text("tableVersion", table == null ? null : table.version().toString());
        fields.text("release", route.release().toString());
        fields.text("predictedError", codeName(route.worst().error()));
    }

    private static void key(JsonFields fields, Route route) throws IOException {
        RoutingTable table = route.table();
        fields.text("shardKey", table == null ? null : table.shardKey().toString());
        fields.json().writeArrayFieldStart("constrained");
        for (KeyFields.Constrained constrained : KeyFields.constrained(route)) {
            fields.json().writeStartObject();
            fields.text("field", constrained.field());
            fields.text("by", constrained.by());
            fields.json().writeEndObject();
        }
        fields.json().writeEndArray();
        fields.texts("missing", KeyFields.missing(route), MAX_LISTED);
    }

    /** The first statements; where the worst one is further back it takes the last place. */
    private static void statements(JsonFields fields, Route route) throws IOException {
        int count = route.statements().size();
        int listed = Math.min(count, MAX_LISTED);
        fields.number("statementCount", count);
        fields.json().writeArrayFieldStart("statements");
        for (int i = 0; i < listed; i++) {
            boolean last = i == MAX_LISTED - 1;
            statement(fields, route, last ? Math.max(i, route.worstIndex()) : i);
        }
        fields.json().writeEndArray();
    }

    private static void statement(JsonFields fields, Route route, int index) throws IOException {
        StatementRoute statement = route.statements().get(index);
        fields.json().writeStartObject();
        fields.number("index", index);
        fields.text("placement", statement.placement().text());
        fields.text("shape", text(statement.shape()));
        fields.text("certainty", statement.certainty().text());
        shards(fields, "shards", route, statement.shards());
        fields.text("predictedError", codeName(statement.error()));
        fields.json().writeEndObject();
    }

    private static void shards(JsonFields fields, String name, Route route, ShardSet shards) throws IOException {
        fields.texts(name, route.registry().names(shards), MAX_LISTED);
    }

    private static @Nullable String text(@Nullable Shape shape) {
        return shape == null ? null : shape.text();
    }

    private static @Nullable String codeName(@Nullable PredictedError error) {
        return error == null ? null : error.codeName();
    }
}
