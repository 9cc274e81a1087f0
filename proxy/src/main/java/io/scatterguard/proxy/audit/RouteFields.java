package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import io.scatterguard.proxy.routing.WouldFail;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes what a record says of the route: where to, by which key, why, and each statement of a batch. */
final class RouteFields {
    /** The longest sentence kept. */
    static final int MAX_WHY_CHARS = 1_024;

    private final JsonFields fields;
    private final RecordedRoute route;
    private final @Nullable Long tableAgeMillis;

    private RouteFields(JsonFields fields, RecordedRoute route, @Nullable Long tableAgeMillis) {
        this.fields = fields;
        this.route = route;
        this.tableAgeMillis = tableAgeMillis;
    }

    /** {@code tableAgeMillis}: how long ago the routing table was confirmed; null where there is none. */
    static void write(JsonFields fields, RecordedRoute route, @Nullable Long tableAgeMillis) throws IOException {
        new RouteFields(fields, route, tableAgeMillis).write();
    }

    private void write() throws IOException {
        fields.object("route", this::labels);
        ShardKey key = route.basis().shardKey();
        if (key != null) {
            key(key);
        }
        fields.text("why", route.why().isEmpty() ? null : route.why(), MAX_WHY_CHARS);
        fields.text("fix", route.fix().clause().isEmpty() ? null : route.fix().clause(), MAX_WHY_CHARS);
        fields.text(
                "fixFilter", route.fix().filter().isEmpty() ? null : route.fix().filter(), MAX_WHY_CHARS);
        if (!route.notes().isEmpty()) {
            fields.texts("notes", route.notes(), RecordedRoute.MAX_LISTED);
        }
        WouldFail wouldFail = route.wouldFail();
        if (wouldFail != null) {
            fields.object("wouldFail", () -> wouldFail(wouldFail));
        }
        if (route.statements().count() > 1) {
            statements();
        }
    }

    private void labels() throws IOException {
        RecordedRoute.Targets targets = route.targets();
        ChunkVersion version = route.basis().tableVersion();
        boolean placed = route.basis().placed();
        if (placed) {
            fields.text("placement", route.placement().text());
        }
        fields.text("shape", text(route.worst().shape()));
        fields.text("certainty", route.certainty().text());
        fields.bool("intrinsic", route.intrinsic());
        if (placed) {
            shards("shards", targets.shards());
            fields.number("shardCount", targets.shards().size());
        }
        fields.number(
                "shardTotal",
                placed ? targets.total() : targets.registry().registered().size());
        if (placed && !targets.contacted().isEmpty()) {
            shards("contacted", targets.contacted());
        }
        Namespace viewOn = route.basis().viewOn();
        fields.text("viewOn", viewOn == null ? null : viewOn.fullName());
        fields.text("tableVersion", version == null ? null : version.toString());
        fields.number("tableAgeMillis", version == null ? null : tableAgeMillis);
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

    private void wouldFail(WouldFail wouldFail) throws IOException {
        fields.number("code", wouldFail.error().code());
        fields.text("codeName", wouldFail.error().codeName());
        fields.text("reason", wouldFail.cause().text());
        fields.number("statement", wouldFail.statement());
        fields.bool("certain", wouldFail.certain());
    }

    private void statements() throws IOException {
        fields.number("statementCount", route.statements().count());
        fields.json().writeArrayFieldStart("statements");
        for (RecordedRoute.Listed listed : route.statements().listed()) {
            StatementRoute statement = listed.route();
            fields.json().writeStartObject();
            fields.number("index", listed.index());
            StatementSubject subject = statement.subject();
            fields.text(
                    "namespace", subject == null ? null : subject.namespace().fullName());
            if (route.basis().placed()) {
                fields.text("placement", statement.placement().text());
                shards("shards", statement.shards());
            }
            fields.text("shape", text(statement.shape()));
            fields.text("certainty", statement.certainty().text());
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
