package io.scatterguard.proxy.explain;

import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.KeyLookup;
import io.scatterguard.proxy.routing.KeyLookup.ValueInterval;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.SecondaryRoute;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementExplanation;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/**
 * An explanation for programs. The fields are those of the audit log where they say the same, see {@code docs/explain.md};
 * adding one is a compatible change, renaming one is not. What does not apply is left out.
 */
public final class ExplanationJson {
    /** The integers that every reader of JSON keeps exactly. */
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    /** Relaxed Extended JSON, but for int64 values that a double does not hold: hashes, for instance. */
    private static final JsonWriterSettings ONE_LINE = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .int64Converter((value, writer) -> {
                if (Math.abs((double) value) <= EXACT_IN_DOUBLE) {
                    writer.writeNumber(Long.toString(value));
                } else {
                    writer.writeStartObject();
                    writer.writeString("$numberLong", Long.toString(value));
                    writer.writeEndObject();
                }
            })
            .build();

    private final Explanation explanation;
    private final Route route;

    private ExplanationJson(Explanation explanation) {
        this.explanation = explanation;
        this.route = explanation.route();
    }

    /** One line of Extended JSON, without a line break. */
    public static String of(Explanation explanation, List<String> hints) {
        return text(document(explanation, hints));
    }

    /** One line of Extended JSON likewise, of a document that {@link #document} gave. */
    public static String text(BsonDocument document) {
        return document.toJson(ONE_LINE);
    }

    /** The same as a document. */
    public static BsonDocument document(Explanation explanation, List<String> hints) {
        return new ExplanationJson(explanation).command(hints);
    }

    private BsonDocument command(List<String> hints) {
        BsonDocument json = new BsonDocument("command", new BsonString(explanation.command()))
                .append("db", new BsonString(route.namespace().database()));
        text(json, "coll", route.namespace().collection());
        json.append("route", route());
        if (!hints.isEmpty()) {
            json.append("hints", array(hints, BsonString::new));
        }
        if (!explanation.notes().isEmpty()) {
            json.append("notes", array(explanation.notes(), ExplanationJson::note));
        }
        if (!explanation.secondary().isEmpty()) {
            json.append("secondary", array(explanation.secondary(), this::secondary));
        }
        WouldFail failure = explanation.wouldFail();
        if (failure != null) {
            json.append("wouldFail", failure(failure));
        }
        return json.append("statementCount", new BsonInt32(route.statements().size()))
                .append("statements", array(explanation.statements(), this::statement));
    }

    private static BsonDocument note(Note note) {
        return new BsonDocument("name", new BsonString(note.name().text()))
                .append("statement", new BsonInt32(note.statement()))
                .append("field", new BsonString(note.field()))
                .append("text", new BsonString(note.sentence()));
    }

    private static BsonDocument failure(WouldFail failure) {
        return new BsonDocument("code", new BsonInt32(failure.error().code()))
                .append("codeName", new BsonString(failure.error().codeName()))
                .append("reason", new BsonString(failure.cause().text()))
                .append("statement", new BsonInt32(failure.statement()))
                .append("certain", BsonBoolean.valueOf(failure.certain()))
                .append("text", new BsonString(failure.sentence()))
                .append("fix", new BsonString(failure.cause().fix()));
    }

    private BsonDocument secondary(SecondaryRoute secondary) {
        BsonDocument json = new BsonDocument("stage", new BsonString(secondary.stage()))
                .append("ns", new BsonString(secondary.namespace().fullName()));
        Shape shape = secondary.shape();
        text(json, "shape", shape == null ? "" : shape.text());
        json.append("certainty", new BsonString(secondary.certainty().text()));
        if (!secondary.shards().isEmpty()) {
            json.append("shards", names(secondary.shards()));
        }
        return json.append("perDocument", BsonBoolean.valueOf(secondary.perDocument()));
    }

    private BsonDocument route() {
        RoutingTable table = route.table();
        BsonDocument json = new BsonDocument("routed", BsonBoolean.valueOf(route.kind() != Route.Kind.NOT_ROUTED));
        if (route.kind() != Route.Kind.NOT_ROUTED) {
            labels(json, route.isPlaced() ? route.placement() : null, route.shape(), route.certainty());
            json.append("intrinsic", BsonBoolean.valueOf(route.isIntrinsic()));
            if (route.isPlaced()) {
                json.append("shards", names(route.shards()))
                        .append("shardCount", new BsonInt32(route.shards().size()));
            }
            json.append("shardTotal", new BsonInt32(route.shardTotal()));
            if (route.isPlaced() && !route.contacted().isEmpty()) {
                json.append("contacted", names(route.contacted()));
            }
        }
        if (table != null && table.collection().declared()) {
            json.append("declared", BsonBoolean.TRUE);
            if (!table.boundsKnown()) {
                json.append("boundsKnown", BsonBoolean.FALSE);
            }
        } else if (table != null && table.isPlaced()) {
            json.append("tableVersion", new BsonString(table.version().toString()));
        }
        json.append("release", new BsonString(route.release().toString()));
        String doubt = RouteText.ofRelease(route);
        return doubt.isEmpty() ? json : json.append("releaseNote", new BsonString(doubt));
    }

    private BsonDocument statement(StatementExplanation statement) {
        Route its = statement.route();
        StatementRoute worst = its.worst();
        RoutingTable table = its.table();
        BsonDocument json = new BsonDocument("index", new BsonInt32(statement.index()));
        if (!its.namespace().equals(route.namespace())) {
            json.append("ns", new BsonString(its.namespace().fullName()));
        }
        if (statement.document() != null) {
            json.append("document", statement.document());
        }
        if (its.kind() != Route.Kind.NOT_ROUTED) {
            labels(json, its.isPlaced() ? worst.placement() : null, worst.shape(), worst.certainty());
            if (its.isPlaced()) {
                json.append("shards", names(worst.shards()));
            }
        }
        PredictedError error = worst.error();
        if (error != null) {
            json.append("predictedError", new BsonString(error.codeName()));
        }
        if (table != null) {
            json.append("shardKey", new BsonString(table.shardKey().toString()));
        }
        json.append("why", new BsonString(RouteText.why(its)));
        text(json, "fix", RouteText.fix(its));
        if (!statement.pipeline().isEmpty()) {
            json.append("pipeline", array(statement.pipeline(), BsonString::new));
        }
        return json.append("lookups", array(statement.lookups(), ExplanationJson::lookup));
    }

    private static void labels(
            BsonDocument json, @Nullable Placement placement, @Nullable Shape shape, Certainty certainty) {
        text(json, "placement", placement == null ? "" : placement.text());
        text(json, "shape", shape == null ? "" : shape.text());
        json.append("certainty", new BsonString(certainty.text()));
    }

    private static BsonDocument lookup(KeyLookup lookup) {
        BsonDocument byShard = new BsonDocument();
        lookup.chunksByShard().forEach((shard, count) -> byShard.append(shard, new BsonInt32(count)));
        return new BsonDocument("outcome", new BsonString(lookup.outcome().text()))
                .append("fields", array(lookup.fields(), ExplanationJson::field))
                .append("ranges", array(lookup.ranges(), ExplanationJson::range))
                .append("rangeCount", new BsonInt32(lookup.rangeCount()))
                .append("chunks", array(lookup.chunks(), ExplanationJson::chunk))
                .append("chunkCount", new BsonInt32(lookup.chunkCount()))
                .append("chunkTotal", new BsonInt32(lookup.chunkTotal()))
                .append("chunksByShard", byShard);
    }

    private static BsonDocument field(KeyLookup.Field field) {
        return new BsonDocument("path", new BsonString(field.path()))
                .append("hashed", BsonBoolean.valueOf(field.hashed()))
                .append("narrowing", new BsonString(field.narrowing().text()))
                .append("intervals", array(field.intervals(), ExplanationJson::interval))
                .append("intervalCount", new BsonInt32(field.intervalCount()));
    }

    private static BsonDocument interval(ValueInterval interval) {
        BsonDocument json = new BsonDocument("low", interval.low())
                .append("lowIncluded", BsonBoolean.valueOf(interval.lowIncluded()))
                .append("high", interval.high())
                .append("highIncluded", BsonBoolean.valueOf(interval.highIncluded()));
        return interval.hashOf() == null ? json : json.append("hashOf", interval.hashOf());
    }

    private static BsonDocument range(KeyLookup.Range range) {
        return new BsonDocument("low", range.low()).append("high", range.high());
    }

    private static BsonDocument chunk(KeyLookup.Chunk chunk) {
        return new BsonDocument("min", chunk.min())
                .append("max", chunk.max())
                .append("shard", new BsonString(chunk.shard()));
    }

    private BsonArray names(ShardSet shards) {
        return array(route.registry().names(shards), BsonString::new);
    }

    private static void text(BsonDocument json, String name, String value) {
        if (!value.isEmpty()) {
            json.append(name, new BsonString(value));
        }
    }

    private static <T> BsonArray array(List<T> elements, Function<T, BsonValue> toJson) {
        return new BsonArray(elements.stream().map(toJson).toList());
    }
}
