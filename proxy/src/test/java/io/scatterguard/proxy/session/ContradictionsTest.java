package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that say two things at once: none may reach the server as if it had been judged. */
class ContradictionsTest {
    private static final String FIND = "{find: 'orders', $db: 'shop'}";
    private static final byte[] BODY = section(0, document("{delete: 'c', deletes: [], $db: 'shop'}"));
    private static final byte[] DELETES = sequence("deletes");
    private static final byte[] OTHER = sequence("other");

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    static List<Arguments> malformed() {
        return List.of(
                Arguments.of(40433, List.of(BODY, DELETES)),
                Arguments.of(40433, List.of(DELETES, BODY)),
                Arguments.of(40431, List.of(OTHER, BODY, OTHER)),
                Arguments.of(40430, List.of(BODY, BODY)),
                Arguments.of(40587, List.of(DELETES)),
                Arguments.of(40432, List.of(BODY, new byte[] {7})),
                Arguments.of(13, List.of(new byte[] {2, 't', 0}, BODY)));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void isAnsweredInItsTurnAsTheServerWouldAndTheConnectionServesOn(int code, List<byte[]> sections) {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        f.request(message(2, 0, sections));
        f.request(3, FIND);
        assertThat(f.server.requestIds()).containsExactly(1, 3);
        assertThat(f.client.written).as("an answer before its turn").isEmpty();
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        BsonDocument error = f.lastReply();
        assertThat(error.getInt32("code").getValue()).isEqualTo(code);
        assertThat(error.getString("codeName").getValue()).isEqualTo(code == 13 ? "Unauthorized" : "Location" + code);
        assertThat(error.getDouble("ok").getValue()).isZero();
        f.reply(103, 3, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3);
        assertThat(f.counters.malformedRequests()).isEqualTo(1);
        assertThat(f.counters.refusedCommands()).isZero();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void withoutAReplyItIsNeitherAnsweredNorForwarded(int code, List<byte[]> sections) {
        SessionFixture f = SessionFixture.connected();
        f.request(message(2, OpMsg.MORE_TO_COME, sections));
        assertThat(f.server.written).as("code %s", code).isEmpty();
        assertThat(f.client.written).isEmpty();
        assertThat(f.session.isClosed()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whoHasYetToAuthenticateIsAnsweredByTheServer(int code, List<byte[]> sections) {
        SessionFixture f = SessionFixture.connected(true);
        f.request(message(2, 0, sections));
        assertThat(f.server.requestIds()).as("code %s", code).containsExactly(2);
        assertThat(f.client.written).isEmpty();
    }

    @Test
    void withBypassItIsForwarded() {
        SessionFixture f = SessionFixture.connected();
        f.policy = enforcing(false, true);
        f.request(message(2, 0, List.of(BODY, DELETES)));
        assertThat(f.server.requestIds()).containsExactly(2);
    }

    static List<Arguments> duplicates() {
        return List.of(
                Arguments.of("find.filter", "{find: 'c', filter: {key: 1}, filteX: {}, $db: 'shop'}"),
                Arguments.of("aggregate.pipeline", "{aggregate: 'c', pipeline: [], pipelinX: [], $db: 'shop'}"),
                Arguments.of("findAndModify.query", "{findAndModify: 'c', query: {}, querX: {}, $db: 'shop'}"),
                Arguments.of("delete.deletes", "{delete: 'c', deletes: [], deleteX: [], $db: 'shop'}"));
    }

    @ParameterizedTest
    @MethodSource("duplicates")
    void aFieldOfTheBodyThatStandsTwiceIsAnErrorWhereBroadcastsAreRefused(String field, String body) {
        SessionFixture f = enforced();
        f.request(twice(1, 0, field, body));
        assertThat(f.server.written).isEmpty();
        BsonDocument error = f.lastReply();
        assertThat(error.getInt32("code").getValue()).isEqualTo(ParseErrors.DUPLICATE_FIELD);
        assertThat(error.getString("errmsg").getValue()).isEqualTo("BSON field '" + field + "' is a duplicate field");
        assertThat(f.outcomes.get(f.outcomes.size() - 1).code()).isEqualTo(ParseErrors.DUPLICATE_FIELD);
    }

    @ParameterizedTest
    @MethodSource("duplicates")
    void elsewhereTheServerSaysSo(String field, String body) {
        SessionFixture observing = enforced();
        observing.policy = enforcing(false, false);
        observing.request(twice(1, 0, field, body));
        assertThat(observing.server.requestIds()).containsExactly(1);
        SessionFixture unanswered = enforced();
        unanswered.request(twice(2, OpMsg.MORE_TO_COME, field, body));
        assertThat(unanswered.server.requestIds()).containsExactly(2);
        SessionFixture once = enforced();
        once.request(3, body);
        assertThat(once.server.requestIds()).containsExactly(3);
    }

    @Test
    void aFieldOfAStatementThatStandsTwiceIsAnErrorToo() {
        SessionFixture f = enforced();
        f.catalog.withBroken("shop.c"); // Where the key may decide: what is unsharded goes to one shard in any case.
        String statement = "{q: {key: 1}, X: {}, limit: 0}";
        byte[] deletes = section(
                1,
                Unpooled.buffer()
                        .writeBytes("deletes\0".getBytes(StandardCharsets.US_ASCII))
                        .writeBytes(document(statement)));
        byte[] body = section(0, document("{delete: 'c', $db: 'shop'}"));
        for (List<byte[]> sections : List.of(List.of(body, deletes), List.of(deletes, body))) {
            ByteBuf message = message(1, 0, sections);
            message.setByte(message.indexOf(0, message.writerIndex(), (byte) 'X'), 'q');
            f.request(message);
            assertThat(f.server.written).isEmpty();
            assertThat(f.lastReply().getString("errmsg").getValue()).contains("'delete.deletes.q'");
        }
    }

    @Test
    void inATransactionTheErrorEndsItAsTheServersWould() {
        String rest = ", lsid: {id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}},"
                + " txnNumber: 1, autocommit: false, $db: 'shop'}";
        SessionFixture f = enforced();
        f.request(1, "{insert: 'c', documents: [{_id: 1}], startTransaction: true" + rest);
        f.reply(101, 1, 0, "{ok: 1.0}");
        f.request(twice(2, 0, "find.filter", "{find: 'c', filter: {key: 1}, filteX: {}" + rest));
        assertThat(f.server.requestIds()).containsExactly(1, TransactionRefusals.ABORT_REQUEST_ID);
        f.reply(102, TransactionRefusals.ABORT_REQUEST_ID, 0, "{ok: 1.0}");
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(ParseErrors.DUPLICATE_FIELD);
        f.request(3, "{commitTransaction: 1" + rest);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(TransactionRefusals.NO_SUCH_TRANSACTION);
        assertThat(f.server.requestIds()).hasSize(2);
    }

    /** A session in enforce mode with the real router, which takes none of both for certain. */
    private static SessionFixture enforced() {
        SessionFixture f = SessionFixture.connected();
        f.router = new KeyRouter();
        f.policy = enforcing(true, false);
        return f;
    }

    private static Policy enforcing(boolean enforcing, boolean bypass) {
        return new Policy() {
            @Override
            public Verdict decide(CommandView command, Route route, ClientInfo client, Instant now) {
                return new Verdict(Action.LOG, false, null, null, "default", 1);
            }

            @Override
            public boolean isEnforcing() {
                return enforcing;
            }

            @Override
            public boolean isBypass() {
                return bypass;
            }
        };
    }

    /** The body with the letter X in place of the last letter of the field's name set right. */
    private static ByteBuf twice(int requestId, int flagBits, String field, String body) {
        ByteBuf message = SessionFixture.frame(requestId, 0, flagBits, body);
        return message.setByte(message.indexOf(0, message.writerIndex(), (byte) 'X'), field.charAt(field.length() - 1));
    }

    private static ByteBuf document(String json) {
        return Unpooled.wrappedBuffer(BsonView.encode(BsonDocument.parse(json)).toByteArray());
    }

    private static byte[] sequence(String identifier) {
        return section(
                1,
                Unpooled.buffer()
                        .writeBytes((identifier + "\0").getBytes(StandardCharsets.US_ASCII))
                        .writeBytes(document("{q: {}, limit: 0}")));
    }

    private static byte[] section(int kind, ByteBuf content) {
        ByteBuf section = Unpooled.buffer().writeByte(kind);
        if (kind == 1) {
            section.writeIntLE(content.readableBytes() + 4);
        }
        section.writeBytes(content);
        byte[] bytes = new byte[section.readableBytes()];
        section.readBytes(bytes);
        return bytes;
    }

    private static ByteBuf message(int requestId, int flagBits, List<byte[]> sections) {
        ByteBuf message = Unpooled.buffer().writeIntLE(0).writeIntLE(requestId).writeIntLE(0);
        message.writeIntLE(OpCode.OP_MSG.value()).writeIntLE(flagBits);
        sections.forEach(message::writeBytes);
        return message.setIntLE(0, message.readableBytes());
    }
}
