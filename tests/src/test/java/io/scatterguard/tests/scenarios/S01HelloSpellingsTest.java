package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S1 (mongobetween #15): however a handshake is spelt and sent, it is handled alike and answered in its own opcode. */
@ExtendWith(BlockHoundExtension.class)
class S01HelloSpellingsTest {
    private static final BsonDocument FIND =
            BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}");

    private enum Form {
        MSG {
            @Override
            RawMessage message(RawClient client, BsonDocument command) {
                return client.msg(command.append("$db", new BsonString("admin")));
            }
        },
        QUERY {
            @Override
            RawMessage message(RawClient client, BsonDocument command) {
                return client.query(command);
            }
        },
        WRAPPED_QUERY {
            @Override
            RawMessage message(RawClient client, BsonDocument command) {
                return client.query(command).wrapped();
            }
        };

        abstract RawMessage message(RawClient client, BsonDocument command);
    }

    private final AuditRecords records = new AuditRecords();
    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private RawClient client;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().withData();
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard().withSink(records));
        client = proxy.rawClient();
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @CsvSource({
        "hello, MSG",
        "hello, QUERY",
        "hello, WRAPPED_QUERY",
        "isMaster, MSG",
        "isMaster, QUERY",
        "isMaster, WRAPPED_QUERY",
        "ismaster, MSG",
        "ismaster, QUERY",
        "ismaster, WRAPPED_QUERY"
    })
    void aHandshakeIsAnsweredInItsOpcodeAndIntroducesTheClient(String spelling, Form form) {
        RawMessage hello = form.message(client, handshake(spelling));
        client.send(hello);
        WireFrame reply = client.receive();
        assertThat(reply.opCode()).isEqualTo(form == Form.MSG ? WireHeader.OP_MSG : WireHeader.OP_REPLY);
        assertThat(reply.responseTo()).isEqualTo(hello.requestId());
        assertThat(timeless(reply.body())).isEqualTo(timeless(answeredDirectly(spelling, form)));
        assertThat(mongos.requests(spelling))
                .as("a compressor that no proxy can read is taken out")
                .filteredOn(seen -> seen.command().toString().contains("S01"))
                .first()
                .satisfies(seen -> {
                    assertThat(seen.opCode()).isEqualTo(form == Form.MSG ? WireHeader.OP_MSG : WireHeader.OP_QUERY);
                    assertThat(seen.command().toString()).doesNotContain("lzo");
                });

        client.command(FIND);
        assertThat(records.next().getDocument("client").getString("app").getValue())
                .isEqualTo("S01");
    }

    /** The server's names are case-sensitive: what it does not take for a handshake gets its own error. */
    @ParameterizedTest
    @ValueSource(strings = {"Hello", "HELLO", "hellO", "helo", "isMasterr"})
    void whatTheServerDoesNotTakeForAHandshakeGetsItsOwnError(String spelling) {
        mongos.always(spelling, Reply.error(59, "CommandNotFound", "no such command: '" + spelling + "'"));
        RawMessage hello = Form.MSG.message(client, handshake(spelling));
        client.send(hello);
        assertThat(client.receive().body().getString("errmsg").getValue()).contains(spelling);
        client.command(FIND);
        BsonDocument record = records.next();
        assertThat(record.getDocument("client").get("app", BsonNull.VALUE)).isEqualTo(BsonNull.VALUE);
    }

    private BsonDocument answeredDirectly(String spelling, Form form) {
        try (RawClient direct = RawClient.connect(mongos.port())) {
            direct.send(form.message(direct, handshake(spelling)));
            return direct.receive().body();
        }
    }

    private static BsonDocument handshake(String spelling) {
        BsonDocument command = new BsonDocument(spelling, new BsonInt32(1));
        command.putAll(
                BsonDocument.parse(
                        "{helloOk: true, client: {application: {name: 'S01'}, driver: {name: 'd', version: '1'}, os: {type: 'Linux'}}, compression: ['lzo']}"));
        return command;
    }

    private static BsonDocument timeless(BsonDocument reply) {
        BsonDocument rest = new BsonDocument();
        rest.putAll(reply);
        List.of("localTime", "connectionId").forEach(rest::remove);
        return rest;
    }
}
