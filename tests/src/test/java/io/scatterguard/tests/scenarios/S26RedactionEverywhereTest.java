package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.tests.support.AuditLines;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.OpaqueMessage;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Redaction that covered some commands and some levels only leaked values through {@code getMore}, {@code explain} and error
 * texts (documentdb #396, percona-server #184). No value of any command, nor of any error a server quotes it in, nor of a
 * fault of ours, stands in an audit record or a log line of any level.
 */
@ExtendWith(BlockHoundExtension.class)
class S26RedactionEverywhereTest {
    private static final String VALUE = "v4lue-5d2e81";
    private static final String NUMBER = "918273645";
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            policy: { mode: %s, default: { reads: refuse, writes: refuse } }
            audit: { sinks: [], record: all }
            """;

    @Test
    void ofEveryCommandThatIsForwarded() {
        assertRedacted("observe", RuntimeParts.standard());
    }

    @Test
    void ofEveryCommandThatIsRefused() {
        assertRedacted("enforce", RuntimeParts.standard());
    }

    @Test
    void ofAFaultOfOursThatQuotesWhatItRead() {
        Policy failing = (command, route, client, now) -> {
            throw new IllegalStateException("cannot judge " + VALUE, new NumberFormatException("For input " + VALUE));
        };
        List<String> logged = assertRedacted("enforce", RuntimeParts.standard().withPolicy(policy -> failing));
        assertThat(logged)
                .as("its type, its cause's and where it was are logged")
                .anyMatch(line -> line.contains("internal error while judging")
                        && line.contains("java.lang.IllegalStateException")
                        && line.contains("java.lang.NumberFormatException")
                        && line.contains("S26RedactionEverywhereTest"));
    }

    private static List<String> assertRedacted(String mode, RuntimeParts parts) {
        AuditLines audit = new AuditLines();
        List<String> logged;
        try (CapturedLog log = CapturedLog.open();
                ScriptedMongos mongos = mongos()) {
            try (ProxyUnderTest proxy =
                            ProxyUnderTest.configured(mongos, CONFIG.formatted(mode), parts.withSink(audit));
                    RawClient client = proxy.rawClient()) {
                for (BsonDocument command : commands()) {
                    client.send(client.msg(command.clone().append("$db", new BsonString("shop"))));
                    client.receive();
                    client.send(client.query(command).namespace("shop.$cmd"));
                    client.receive();
                }
                client.send(OpaqueMessage.legacy(
                        900_000, OpaqueMessage.OP_INSERT, "shop.orders", new BsonDocument("a", new BsonString(VALUE))));
                assertThat(client.adminCommand("ping")).containsKey("ok");
            }
            logged = log.lines();
        }
        assertThat(logged).as("the log is really captured").anyMatch(line -> line.startsWith("DEBUG io.scatterguard"));
        assertThat(logged).noneMatch(S26RedactionEverywhereTest::shows);
        assertThat(audit.lines())
                .as("until ten faults of ours end the judging")
                .hasSizeGreaterThan(8)
                .noneMatch(S26RedactionEverywhereTest::shows);
        return logged;
    }

    private static boolean shows(String line) {
        return line.contains(VALUE) || line.contains(NUMBER);
    }

    /** Every command there is, and one nobody knows, with values wherever one may stand. */
    private static List<BsonDocument> commands() {
        String filter =
                "{status: '@', total: {$gt: #}, $comment: '@', $or: [{a: '@'}, {b: {$in: ['@', #]}}], $expr: {$eq:"
                        + " ['$a', '@']}}";
        String fields =
                ", filter: " + filter + ", query: " + filter + ", q: " + filter + ", pipeline: [{$match: " + filter
                        + "}, {$set: {x: '@'}}, {$limit: #}], updates: [{q: " + filter
                        + ", u: {$set: {a: '@'}}}], deletes: [{q: "
                        + filter + ", limit: 0}], documents: [{customerId: '@', orderId: #}], update: {$set: {a: '@'}},"
                        + " comment: {ticket: '@', n: #}, let: {v: '@'}, sort: {a: 1}, maxTimeMS: #, collation: {locale: '@'},"
                        + " cursor: {batchSize: #}, verbosity: '@', hint: '@', key: 'status', map: '@', reduce: '@'";
        List<BsonDocument> commands = new ArrayList<>();
        for (CommandName name : CommandName.values()) {
            boolean isPlain = !name.isSensitive() && name.kind() != CommandName.Kind.HANDSHAKE;
            if (isPlain && name != CommandName.EXPLAIN && name != CommandName.UNKNOWN) {
                String first = name == CommandName.GET_MORE ? "{$numberLong: '#'}" : "'orders'";
                String command = "{" + name.text() + ": " + first + fields + "}";
                commands.add(parse(command));
                commands.add(parse("{explain: " + command + ", verbosity: '@', comment: '@'}"));
            }
        }
        commands.add(parse("{noSuchCommand: '@'" + fields + "}"));
        commands.add(parse("{find: {$binary: {base64: 'AAAA', subType: '00'}}" + fields + "}"));
        return commands;
    }

    private static BsonDocument parse(String template) {
        return BsonDocument.parse(template.replace("@", VALUE).replace("#", NUMBER));
    }

    /** Errors quote values, as servers do. */
    private static ScriptedMongos mongos() {
        ScriptedMongos mongos = ScriptedMongos.start();
        for (CommandName name : CommandName.values()) {
            if (name.kind() != CommandName.Kind.HANDSHAKE
                    && name != CommandName.PING
                    && name != CommandName.END_SESSIONS // sent by the reader of the metadata as well
                    && name != CommandName.FIND
                    && name != CommandName.AGGREGATE) {
                mongos.always(
                        name.text(),
                        Reply.error(11_000, "DuplicateKey", "dup key: { a: \"" + VALUE + "\", n: " + NUMBER));
            }
        }
        mongos.always("find", Reply.error(2, "BadValue", "unknown operator " + VALUE));
        mongos.always(
                "aggregate",
                Reply.json("{cursor: {id: 0, ns: 'shop.orders', firstBatch: [{a: '" + VALUE + "'}]}, ok: 1.0}"));
        mongos.always("noSuchCommand", Reply.error(59, "CommandNotFound", "no such command " + VALUE));
        mongos.on("", request -> Reply.none());
        return mongos;
    }
}
