package io.scatterguard.tests.support;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Commands of very many shapes, namespaces and applications, in rounds: in a round each shape is another, and the next begins
 * again with the first; comments, tags and sessions never come twice. Every command is a finding of {@link #POLICY}. Each shape
 * goes through all {@link Kind}s, round by round.
 *
 * @param shapes how many there are in a round
 */
public record DistinctCommands(int shapes) {
    /** What the commands are made for: to be logged, throttled or refused. */
    public static final String POLICY = """
            policy:
              mode: enforce
              rules:
                - { name: transactions, match: { namespace: shop.orders, commentTag: "test:transaction-*" }, action: refuse }
                - { name: rates, match: { namespace: shop.events }, action: throttle, rate: 1000/s }
                - { name: seen, match: { namespace: "flood*.*", placement: unsharded }, action: log }
              owners: [ { owner: orders-team, namespace: shop.orders } ]
            """;

    /** How many commands a connection sends, and so how many share the name of an application. */
    public static final int A_CONNECTION = 100;

    /** What a command is. */
    public enum Kind {
        /** On a collection of its own, which is not sharded; logged. */
        NAMESPACE,
        /** A broadcast that is logged. */
        BROADCAST,
        /** A broadcast that a rule counts, below its rate. */
        THROTTLED,
        /** The first statement of a transaction, of a session of its own; refused. */
        TRANSACTION
    }

    private static final List<Kind> KINDS = List.of(
            Kind.NAMESPACE,
            Kind.BROADCAST,
            Kind.THROTTLED,
            Kind.NAMESPACE,
            Kind.BROADCAST,
            Kind.THROTTLED,
            Kind.NAMESPACE,
            Kind.TRANSACTION);

    /** What the {@code number}th command is, from 0 on. */
    public Kind kind(int number) {
        return KINDS.get((number + number / shapes) % KINDS.size());
    }

    /** The handshake of the connection that sends the commands from {@code number} on. */
    public byte[] hello(int requestId, int number) {
        BsonDocument client = BsonDocument.parse("{driver: {name: 'raw', version: '1'}, os: {type: 'Linux'}}")
                .append(
                        "application",
                        new BsonDocument("name", new BsonString("app-" + number % shapes / A_CONNECTION)));
        BsonDocument hello = new BsonDocument("hello", new BsonInt32(1)).append("client", client);
        return OpMsgBuilder.of(requestId, hello.append("$db", new BsonString("admin")))
                .encode();
    }

    /** The commands from {@code number} on, with requestIds that count from {@code requestId}. */
    public byte[] packet(int requestId, int number, int count) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(OpMsgBuilder.of(requestId + i, command(number + i)).encode());
        }
        return all.toByteArray();
    }

    private BsonDocument command(int number) {
        int shape = number % shapes;
        BsonDocument filter = new BsonDocument(field(shape), new BsonInt32(number))
                .append("$or", new BsonArray(List.<BsonValue>of(range("left"), range("right"))));
        return switch (kind(number)) {
            case NAMESPACE -> find("c" + shape, filter, "route:/carts/" + field(shape), "flood" + shape % 100);
            case BROADCAST -> find("orders", filter, "test:suite-" + number, "shop");
            case THROTTLED -> find("events", filter, "traceparent=" + trace(number), "shop");
            case TRANSACTION ->
                find("orders", filter, "test:transaction-" + number, "shop")
                        .append("lsid", new BsonDocument("id", session(number)))
                        .append("txnNumber", new BsonInt64(1))
                        .append("startTransaction", BsonBoolean.TRUE)
                        .append("autocommit", BsonBoolean.FALSE);
        };
    }

    /** A name as of a schema: what looks like an identifier would be folded. */
    private static String field(int shape) {
        return "total" + shape / 1_000 + "of" + shape % 1_000;
    }

    private static BsonDocument range(String field) {
        return new BsonDocument(field, new BsonDocument("$gt", new BsonInt32(5)));
    }

    private static String trace(int number) {
        return String.format("00-%032x-%016x-01", number + 1, number + 1);
    }

    private static BsonBinary session(int number) {
        return new BsonBinary(
                (byte) 4, ByteBuffer.allocate(16).putInt(12, number).array());
    }

    private static BsonDocument find(String collection, BsonDocument filter, String comment, String database) {
        return new BsonDocument("find", new BsonString(collection))
                .append("filter", filter)
                .append("comment", new BsonString(comment))
                .append("$db", new BsonString(database));
    }
}
