package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCommandTest {
    private static final String STATUS = "{scatterguard: 1, $db: 'admin'}";
    private static final ListenerTraits ON =
            new ListenerTraits(Set.of(), () -> new BsonDocument("scatterguard", new BsonString("1.2.3")));

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void isAnsweredInItsTurnAndNeitherForwardedNorCountedAsARefusalNorRecorded() {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), ON);
        int recorded = f.sources.size();
        f.request(1, "{find: 'c', filter: {}, $db: 'shop'}");
        f.request(2, STATUS);
        assertThat(f.client.written).isEmpty();
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(f.lastReply()).isEqualTo(BsonDocument.parse("{scatterguard: '1.2.3', ok: 1.0}"));
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.refusedCommands()).isZero();
        assertThat(f.sources).as("only the find").hasSize(recorded + 1);
    }

    @Test
    void isAnsweredByOpReplyWhenAskedByOpQuery() {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), ON);
        byte[] namespace = "admin.$cmd\0".getBytes(StandardCharsets.UTF_8);
        byte[] query = BsonView.encode(BsonDocument.parse("{$query: {scatterguard: 1}}"))
                .toByteArray();
        int length = 16 + 4 + namespace.length + 8 + query.length;
        var request = Unpooled.buffer(length);
        new MessageHeader(length, 9, 0, OpCode.OP_QUERY.value()).writeTo(request);
        f.request(request.writeIntLE(0)
                .writeBytes(namespace)
                .writeIntLE(0)
                .writeIntLE(-1)
                .writeBytes(query));
        assertThat(f.server.written).isEmpty();
        assertThat(f.client.headers().get(0).opCode()).isEqualTo(OpCode.OP_REPLY);
    }

    @Test
    void isRefusedElsewhereThanOnAdminAndInsideATransactionAsServersDo() {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), ON);
        f.request(1, "{scatterguard: 1, $db: 'shop'}");
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(13);
        assertThat(f.lastReply().getString("errmsg").getValue()).contains("against the admin database");
        f.request(
                2, "{scatterguard: 1, lsid: {id: 1}, txnNumber: {$numberLong: '1'}, autocommit: false, $db: 'admin'}");
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(263);
        assertThat(f.lastReply().getDouble("ok").getValue()).isZero();
        assertThat(f.server.written).isEmpty();
    }

    @Test
    void withoutAReplyItIsSwallowed() {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), ON);
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, STATUS));
        f.request(2, "{find: 'c', filter: {}, $db: 'shop'}");
        f.reply(102, 2, 0, "{ok: 1.0}");
        assertThat(f.server.requestIds()).containsExactly(2);
        assertThat(f.client.responsesTo()).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isForwardedWhereItIsOffAndBeforeAnAuthentication(boolean off) {
        SessionFixture f = off ? SessionFixture.connected() : SessionFixture.connected(AccessControl.required(), ON);
        f.request(1, STATUS);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.client.written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{Scatterguard: 1, $db: 'admin'}", "{ping: 1, scatterguard: 1, $db: 'admin'}"})
    void onlyItsVeryNameAsFirstKeyIsMeant(String command) {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), ON);
        f.request(1, command);
        assertThat(f.server.requestIds()).containsExactly(1);
    }

    @Test
    void aReportThatFailsIsAFaultOfOursAndTheServersToAnswer() {
        SessionFixture f = SessionFixture.connected(AccessControl.learnt(false), new ListenerTraits(Set.of(), () -> {
            throw new IllegalStateException("planted");
        }));
        f.request(1, STATUS);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.internalErrorCount()).isEqualTo(1);
    }
}
