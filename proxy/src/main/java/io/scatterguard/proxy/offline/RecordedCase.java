package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an audit record tells of a command, as far as a policy asks for it. Statements beyond the first hundred are not in it;
 * the worst one always is.
 */
record RecordedCase(Members record) {
    /** Commands whose first value is no collection. */
    private static final Set<String> OF_NO_COLLECTION = Set.of("bulkWrite", "listDatabases");

    PolicyCase read() {
        return new PolicyCase(command(), route(), notes(), shape(), client(), at());
    }

    private Members member(String name) {
        return new Members(record.has(name) ? record.document(name) : new BsonDocument());
    }

    private Namespace namespace() {
        return new Namespace(record.string("db", ""), record.string("coll", ""));
    }

    /** Its name and the parts of its comment that were kept. */
    private CommandView command() {
        String name = record.string("command");
        Namespace namespace = namespace();
        boolean named = !namespace.collection().isEmpty() && !OF_NO_COLLECTION.contains(name);
        BsonValue first = named ? new BsonString(namespace.collection()) : new BsonInt32(1);
        BsonDocument command = new BsonDocument(name, first);
        if (record.has("comment")) {
            command.append("comment", new BsonString(record.string("comment")));
        }
        return PolicyCase.view(namespace.database().isEmpty() ? "admin" : namespace.database(), command);
    }

    private ClientInfo client() {
        Members client = member("client");
        return new ClientInfo(
                client.string("address", "unknown"),
                client.has("app") ? client.string("app") : null,
                client.has("driver") ? client.string("driver") : null,
                client.has("os") ? client.string("os") : null,
                record.has("user") ? record.string("user") : null);
    }

    private Instant at() {
        try {
            return Instant.parse(record.string("ts"));
        } catch (DateTimeException e) {
            throw new LineFormatException("member \"ts\" (expected: a time like 2026-12-01T10:20:30.123456Z)");
        }
    }

    private QueryShape shape() {
        Members shape = member("shape");
        return new QueryShape(shape.string("text", record.string("command")), shape.string("hash", ""));
    }

    /** On the worst statement: records do not say which of them has the notes. */
    private List<Note> notes() {
        List<String> names = texts(record, "notes");
        int worst = worstIndex();
        return Arrays.stream(Note.Name.values())
                .filter(name -> names.contains(name.text()))
                .map(name -> new Note(name, worst, "", "", ""))
                .toList();
    }

    private Route route() {
        Members route = member("route");
        boolean intrinsic =
                route.line().getBoolean("intrinsic", BsonBoolean.FALSE).getValue();
        StatementRoute worst = statement(route, ShardSet.none(), null);
        List<StatementRoute> statements = statements(worst);
        String viewOn = route.string("viewOn", "");
        return new Route(
                intrinsic ? Route.Kind.INTRINSIC : Route.Kind.ROUTED,
                viewOn.isEmpty() ? namespace() : Namespace.parse(viewOn),
                statements.get(worstIndex()),
                worstIndex(),
                statements,
                shards(
                        0,
                        route.has("shardCount")
                                ? route.line().getNumber("shardCount").intValue()
                                : 0),
                shards(10_000, texts(route, "contacted").size()),
                placement(route),
                null,
                ShardRegistry.empty(),
                release(route));
    }

    private static RouterRelease release(Members route) {
        try {
            return RouterRelease.parse(route.string("release", RouterRelease.DEFAULT.toString()));
        } catch (IllegalArgumentException e) {
            throw new LineFormatException("member \"release\" of the route (expected: a release like 6.0)");
        }
    }

    private List<StatementRoute> statements(StatementRoute worst) {
        List<StatementRoute> statements = new ArrayList<>();
        for (BsonValue value : values(record, "statements")) {
            Members statement = new Members(value.isDocument() ? value.asDocument() : new BsonDocument());
            String namespace = statement.string("namespace", "");
            StatementSubject subject =
                    namespace.isEmpty() ? null : new StatementSubject(Namespace.parse(namespace), null);
            statements.add(
                    statement(statement, shards(0, texts(statement, "shards").size()), subject));
        }
        return statements.isEmpty() ? List.of(worst) : statements;
    }

    /** The first that is of the command's own shape. */
    private int worstIndex() {
        String shape = member("route").string("shape", "");
        List<BsonValue> statements = values(record, "statements");
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).isDocument()
                    && new Members(statements.get(i).asDocument())
                            .string("shape", "")
                            .equals(shape)) {
                return i;
            }
        }
        return 0;
    }

    /**
     * Records do not say of a route that its namespace's metadata was not known, except where {@code catalog.onUnknown}
     * decided; an upper bound is then one for this reason.
     */
    private Reason reason(boolean exact) {
        boolean unknown = member("verdict").string("reason", "").equals(Reasons.CATALOG_UNKNOWN);
        return unknown && !exact ? Reason.CATALOG_UNKNOWN : Reason.KEY_BOUNDS;
    }

    private StatementRoute statement(Members members, ShardSet shards, @Nullable StatementSubject subject) {
        String shape = members.string("shape", "");
        boolean exact = members.string("certainty", Certainty.EXACT.text()).equals(Certainty.EXACT.text());
        return new StatementRoute(
                placement(members),
                Arrays.stream(Shape.values())
                        .filter(known -> known.text().equals(shape))
                        .findFirst()
                        .orElse(null),
                exact ? Certainty.EXACT : Certainty.UPPER_BOUND,
                shards,
                0,
                0,
                reason(exact),
                members.has("predictedError") ? PredictedError.SHARD_KEY_NOT_FOUND : null,
                subject);
    }

    private static Placement placement(Members members) {
        String placement = members.string("placement", "");
        return Arrays.stream(Placement.values())
                .filter(known -> known.text().equals(placement))
                .findFirst()
                .orElse(Placement.UNSHARDED);
    }

    private static ShardSet shards(int from, int count) {
        BitSet ordinals = new BitSet();
        ordinals.set(from, from + Math.max(0, Math.min(count, 10_000)));
        return ShardSet.of(ordinals);
    }

    /** The elements of a list; none if there is none. */
    private static List<BsonValue> values(Members members, String name) {
        BsonValue value = members.line().get(name);
        return value != null && value.isArray() ? value.asArray().getValues() : List.of();
    }

    private static List<String> texts(Members members, String name) {
        return values(members, name).stream()
                .filter(BsonValue::isString)
                .map(value -> value.asString().getValue())
                .toList();
    }
}
