package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.WireMessage;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LegacyOpcodesTest {
    private static final String REFUSED = "{find: 'refused', filter: {}}";
    private static final Set<OpCode> ALL =
            EnumSet.complementOf(EnumSet.of(OpCode.OP_MSG, OpCode.OP_COMPRESSED, OpCode.OP_REPLY));

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                REFUSED,
                "{$query: " + REFUSED + "}",
                "{query: " + REFUSED + ", $readPreference: {mode: 'secondary'}}",
                "{$query: " + REFUSED + ", $orderby: {a: 1}, $readPreference: {mode: 'secondary'}}"
            })
    void aCommandByOpQueryIsJudgedHoweverItIsWrappedAndRefusedByAnOpReply(String query) {
        SessionFixture f = SessionFixture.connected();
        f.request(query(1, "shop.$cmd", 0, query));
        assertThat(f.server.written).isEmpty();
        MessageHeader header = f.client.headers().get(0);
        assertThat(header.opCode()).isEqualTo(OpCode.OP_REPLY);
        assertThat(header.responseTo()).isEqualTo(1);
        // A command's error is no failed query: flags 0, the code in the one document.
        assertThat(responseFlags(f)).isZero();
        assertThat(opReply(f).getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(opReply(f).containsKey("$err")).isFalse();
    }

    @Test
    void whatIsAllowedByOpQueryIsForwardedAsItCame() {
        SessionFixture f = SessionFixture.connected();
        ByteBuf request = query(1, "shop.$cmd", 0, "{$query: {find: 'c', filter: {}}}");
        byte[] sent = new byte[request.readableBytes()];
        request.getBytes(0, sent);
        f.request(request);
        assertThat(f.server.written).containsExactly(sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.refused", "admin.$cmd.sys.inprog", "shop.refused.$cmd"})
    void aQueryOfACollectionIsCountedAndForwarded(String namespace) {
        SessionFixture f = SessionFixture.connected();
        f.request(query(1, namespace, 0, REFUSED));
        f.request(2, "{find: 'c', filter: {}, $db: 'shop'}");
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.counters.requests(OpCode.OP_QUERY)).isEqualTo(1);
        f.reply(101, 1, 0, "{ok: 1.0}");
        f.reply(102, 2, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
    }

    @ParameterizedTest
    @EnumSource(
            value = OpCode.class,
            names = {"OP_QUERY", "OP_GET_MORE"})
    void aRefusedOpcodeThatHasAReplyIsAnsweredInItsTurnAsAFailedQuery(OpCode opCode) {
        SessionFixture f = refusing(EnumSet.of(opCode));
        f.request(1, "{find: 'c', filter: {}, $db: 'shop'}");
        f.request(legacy(2, opCode));
        assertThat(f.client.written).as("its turn").isEmpty();
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(responseFlags(f)).as("QueryFailure").isEqualTo(2);
        assertThat(opReply(f).getString("$err").getValue())
                .startsWith(opCode + " is no longer supported")
                .contains("opcodes." + opCode);
        assertThat(opReply(f).getNumber("code").intValue()).isEqualTo(5_739_101);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.refusedCommands()).isEqualTo(1);
        f.request(3, "{find: 'c', filter: {}, $db: 'shop'}");
        assertThat(f.server.requestIds()).as("the connection goes on").containsExactly(1, 3);
    }

    @Test
    void refusingOpQueryLeavesCommandsAlone() {
        SessionFixture f = refusing(ALL);
        f.request(query(1, "admin.$cmd", 0, "{isMaster: 1}"));
        f.request(query(2, "shop.$cmd", 0, "{find: 'c', filter: {}}"));
        assertThat(f.server.requestIds()).containsExactly(1, 2);
    }

    @ParameterizedTest
    @EnumSource(
            value = OpCode.class,
            names = {"OP_INSERT", "OP_UPDATE", "OP_DELETE", "OP_KILL_CURSORS", "UNKNOWN"})
    void whatHasNoReplyIsForwardedOrClosesTheConnectionByName(OpCode opCode) {
        SessionFixture forwarding = SessionFixture.connected();
        forwarding.request(legacy(1, opCode));
        forwarding.request(2, "{find: 'refused', $db: 'shop'}");
        assertThat(forwarding.server.requestIds()).containsExactly(1);
        assertThat(forwarding.client.responsesTo()).as("still inspected").containsExactly(2);
        assertThat(forwarding.counters.requests(opCode)).isEqualTo(1);

        SessionFixture refusing = refusing(EnumSet.of(opCode));
        refusing.request(legacy(1, opCode));
        assertThat(refusing.server.written).isEmpty();
        assertThat(refusing.client.closed).isTrue();
        assertThat(refusing.server.closed).isTrue();
        assertThat(refusing.counters.closes(CloseCause.OPCODE_REFUSED)).isEqualTo(1);
        assertThat(refusing.counters.requests(opCode)).isEqualTo(1);

        Set<OpCode> others = EnumSet.copyOf(ALL);
        others.remove(opCode);
        SessionFixture neighbour = refusing(others);
        neighbour.request(legacy(1, opCode));
        assertThat(neighbour.server.requestIds()).containsExactly(1);
    }

    /** A switch to bypass is the way out, of a wrong setting here too. */
    @Test
    void inBypassNoOpcodeIsRefused() {
        for (OpCode opCode : ALL) {
            SessionFixture f = refusing(ALL);
            f.policy = PolicyBypass.BYPASS;
            f.request(legacy(1, opCode));
            assertThat(f.server.requestIds()).as(opCode.name()).containsExactly(1);
            assertThat(f.client.written).isEmpty();
            assertThat(f.client.closed).isFalse();
        }
        SessionFixture f = refusing(ALL);
        f.policy = PolicyBypass.BYPASS;
        f.request(query(1, "shop.orders", OpQuery.EXHAUST, "{}"));
        assertThat(f.server.written).as("its stream could not be followed").isEmpty();
    }

    @Test
    void aReplySentByAClientIsTreatedLikeAnUnknownOpcode() {
        SessionFixture f = refusing(EnumSet.of(OpCode.UNKNOWN));
        f.request(Unpooled.buffer()
                .writeIntLE(36)
                .writeIntLE(1)
                .writeIntLE(0)
                .writeIntLE(1)
                .writeZero(20));
        assertThat(f.counters.closes(CloseCause.OPCODE_REFUSED)).isEqualTo(1);
    }

    @Test
    void anExhaustQueryIsAnsweredAsARouterDoesSinceItsStreamCouldNotBeFollowed() {
        SessionFixture f = SessionFixture.connected();
        f.request(query(1, "shop.orders", OpQuery.EXHAUST, "{}"));
        assertThat(f.server.written).isEmpty();
        assertThat(responseFlags(f)).isEqualTo(2);
        assertThat(opReply(f).getNumber("code").intValue()).isEqualTo(18_526);
        f.request(query(2, "admin.$cmd", OpQuery.EXHAUST, "{isMaster: 1}"));
        assertThat(f.server.requestIds())
                .as("a command's is the server's to answer")
                .containsExactly(2);
    }

    @Test
    void beforeAnAuthenticationNothingIsAnsweredByUs() {
        SessionFixture f = SessionFixture.connected(AccessControl.required(), new ListenerTraits(ALL, null));
        f.request(query(1, "shop.orders", OpQuery.EXHAUST, "{}"));
        f.request(legacy(2, OpCode.OP_GET_MORE));
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.client.written).isEmpty();
    }

    private static SessionFixture refusing(Set<OpCode> opCodes) {
        return SessionFixture.connected(AccessControl.learnt(false), new ListenerTraits(opCodes, null));
    }

    private static int responseFlags(SessionFixture f) {
        return Unpooled.wrappedBuffer(f.client.written.get(f.client.written.size() - 1))
                .getIntLE(16);
    }

    private static BsonDocument opReply(SessionFixture f) {
        OpReply reply =
                (OpReply) WireMessage.decode(Unpooled.wrappedBuffer(f.client.written.get(f.client.written.size() - 1)));
        return reply.document().toBsonDocument();
    }

    private static ByteBuf legacy(int requestId, OpCode opCode) {
        ByteBuf body = Unpooled.buffer();
        byte[] document = BsonView.encode(new BsonDocument()).toByteArray();
        switch (opCode) {
            case OP_QUERY -> name(body.writeIntLE(0)).writeLongLE(0).writeBytes(document);
            case OP_INSERT -> name(body.writeIntLE(0)).writeBytes(document);
            case OP_UPDATE ->
                name(body.writeIntLE(0)).writeIntLE(0).writeBytes(document).writeBytes(document);
            case OP_DELETE -> name(body.writeIntLE(0)).writeIntLE(0).writeBytes(document);
            case OP_GET_MORE -> name(body.writeIntLE(0)).writeIntLE(0).writeLongLE(5);
            case OP_KILL_CURSORS -> body.writeIntLE(0).writeIntLE(1).writeLongLE(5);
            default -> body.writeLongLE(0);
        }
        int number = opCode == OpCode.UNKNOWN ? 4242 : opCode.value();
        return message(requestId, number, body);
    }

    private static ByteBuf query(int requestId, String namespace, int flags, String query) {
        ByteBuf body = Unpooled.buffer().writeIntLE(flags);
        body.writeBytes(namespace.getBytes(StandardCharsets.UTF_8)).writeByte(0);
        body.writeIntLE(0).writeIntLE(-1);
        return message(
                requestId,
                OpCode.OP_QUERY.value(),
                body.writeBytes(BsonView.encode(BsonDocument.parse(query)).toByteArray()));
    }

    private static ByteBuf message(int requestId, int opCode, ByteBuf body) {
        int length = MessageHeader.SIZE_BYTES + body.readableBytes();
        ByteBuf message = Unpooled.buffer(length);
        new MessageHeader(length, requestId, 0, opCode).writeTo(message);
        message.writeBytes(body);
        body.release();
        return message;
    }

    private static ByteBuf name(ByteBuf body) {
        return body.writeBytes("shop.orders".getBytes(StandardCharsets.UTF_8)).writeByte(0);
    }
}
