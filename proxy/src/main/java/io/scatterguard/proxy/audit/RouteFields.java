package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes what a record says of the route: where to, by which key, why, and each statement of a batch. */
final class RouteFields {
    /** The longest sentence kept. */
    static final int MAX_WHY_CHARS = 1_024;

    private final JsonFields fields;
    private final RecordedRoute route;

    private RouteFields(JsonFields fields, RecordedRoute route) {
        this.fields = fields;
        this.route = route;
    }

    static void write(JsonFields fields, RecordedRoute route) throws IOException {
        new RouteFields(fields, route).write();
    }

    private void write() throws IOException {
        fields.object("route", this::labels);
        ShardKey key = route.basis().shardKey();
        if (key != null) {
            key(key);
        }
        fields.text("why", route.why().isEmpty() ? null : route.why(), MAX_WHY_CHARS);
        if (!route.notes().isEmpty()) {
            fields.texts("notes", route.notes(), RecordedRoute.MAX_LISTED);
        }
        if (route.statements().count() > 1) {
            statements();
        }
    }

    private void labels() throws IOException {
        RecordedRoute.Targets targets = route.targets();
        ChunkVersion version = route.basis().tableVersion();
        fields.text("placement", route.placement().text());
        fields.text("shape", text(route.worst().shape()));
        fields.text("certainty", route.certainty().text());
        fields.bool("intrinsic", route.intrinsic());
        shards("shards", targets.shards());
        fields.number("shardCount", targets.shards().size());
        fields.number("shardTotal", targets.total());
        if (!targets.contacted().isEmpty()) {
            shards("contacted", targets.contacted());
        }
        Namespace viewOn = route.basis().viewOn();
        fields.text("viewOn", viewOn == null ? null : viewOn.fullName());
        fields.text("tableVersion", version == null ? null : version.toString());
        if (route.basis().declared()) {
            fields.bool("declared", true);
        }
        if (!route.basis().boundsKnown()) {
            fields.bool("boundsKnown", false);
        }
        fields.text("release", route.basis().release().toString());
        fields.text("predictedError", codeName(route.worst().error()));
    }

    private void key(ShardKey key) throws IOException {
        fields.text("shardKey", key.toString());
        fields.json().writeArrayFieldStart("constrained");
        for (KeyFields.Constrained constrained : KeyFields.constrained(key, route.worst())) {
            fields.json().writeStartObject();
            fields.text("field", constrained.field());
            fields.text("by", constrained.by());
            fields.json().writeEndObject();
        }
        fields.json().writeEndArray();
        fields.texts("missing", KeyFields.missing(key, route.worst()), RecordedRoute.MAX_LISTED);
    }

    private void statements() throws IOException {
        fields.number("statementCount", route.statements().count());
        fields.json().writeArrayFieldStart("statements");
        for (RecordedRoute.Listed listed : route.statements().listed()) {
            StatementRoute statement = listed.route();
            fields.json().writeStartObject();
            fields.number("index", listed.index());
            fields.text("placement", statement.placement().text());
            fields.text("shape", text(statement.shape()));
            fields.text("certainty", statement.certainty().text());
            shards("shards", statement.shards());
            fields.text("predictedError", codeName(statement.error()));
            fields.json().writeEndObject();
        }
        fields.json().writeEndArray();
    }

    private void shards(String name, ShardSet shards) throws IOException {
        fields.texts(name, route.targets().registry().names(shards), RecordedRoute.MAX_LISTED);
    }

    private static @Nullable String text(@Nullable Shape shape) {
        return shape == null ? null : shape.text();
    }

    private static @Nullable String codeName(@Nullable PredictedError error) {
        return error == null ? null : error.codeName();
    }
}
