package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.wire.OpMsg;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered on a connection to a member that is not the primary any more. */
class FarewellTest {
    private static final ListenerTraits AS_MONGOS = new ListenerTraits(Set.of(), null, true);
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    /** A session that has served a command, and whose server steps down then. */
    private static SessionFixture left() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(0, "{ping: 1, $db: 'admin'}");
        f.session.onServerConnected(f.server, () -> {});
        f.reply(1000, 0, 0, "{ok: 1.0}");
        f.server.written.clear();
        f.client.written.clear();
        f.session.onPrimaryLost(true);
        assertThat(f.client.closed).isFalse();
        assertThat(f.client.reading).isTrue();
        return f;
    }

    private static void ended(SessionFixture f) {
        assertThat(f.server.written).as("nothing is sent to the former primary").isEmpty();
        assertThat(f.client.closed).isTrue();
        assertThat(f.server.closed).isTrue();
        assertThat(f.counters.closes(CloseCause.PRIMARY_CHANGED)).isOne();
    }

    /** As by servers: the label says what may be tried again, and a read needs none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {}, $db: 'shop'} | ",
                "{insert: 'c', documents: [{}], $db: 'shop'} | ",
                "{insert: 'c', documents: [{}], txnNumber: 1, $db: 'shop'} | RetryableWriteError",
                "{insert: 'c', documents: [{}], txnNumber: 1, autocommit: false, $db: 'shop'} | TransientTransactionError",
                "{commitTransaction: 1, txnNumber: 1, autocommit: false, $db: 'admin'} | RetryableWriteError",
                "{abortTransaction: 1, txnNumber: 1, autocommit: false, $db: 'admin'} | RetryableWriteError",
                "{getMore: 5, collection: 'c', $db: 'shop'} | ",
            })
    void theNextCommandIsAnsweredAsByAMongosThatShutsDown(String command, String label) {
        SessionFixture f = left();
        f.request(1, command);
        BsonDocument reply = f.lastReply();
        assertThat(reply.getNumber("ok").intValue()).isZero();
        assertThat(reply.getInt32("code").getValue()).isEqualTo(91);
        assertThat(reply.getString("codeName").getValue()).isEqualTo("ShutdownInProgress");
        assertThat(reply.getArray("errorLabels", new BsonArray()).stream()
                        .map(one -> one.asString().getValue()))
                .isEqualTo(label == null ? List.of() : List.of(label));
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.counters.turnedAwayCommands()).isOne();
        ended(f);
    }

    /** What cannot be answered so that a driver knows: a monitor takes the end for a failed look, which is what it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{hello: 1, $db: 'admin'}",
                "{isMaster: 1, $db: 'admin'}",
                "{saslContinue: 1, conversationId: 1, payload: {$binary: {base64: '', subType: '00'}}, $db: 'admin'}"
            })
    void whatHasNoAnswerEndsTheSession(String command) {
        SessionFixture f = left();
        f.request(1, command);
        assertThat(f.client.written).isEmpty();
        assertThat(f.counters.turnedAwayCommands()).isZero();
        ended(f);
    }

    @Test
    void aWriteWithoutAReplyEndsTheSession() {
        SessionFixture f = left();
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{insert: 'c', documents: [{}], $db: 'shop'}"));
        assertThat(f.client.written).isEmpty();
        ended(f);
    }

    @Test
    void nobodyIsWaitedForForEver() {
        SessionFixture f = left();
        f.loop.pass(Farewell.LINGER.minusMillis(1));
        assertThat(f.client.closed).isFalse();
        f.loop.pass(Farewell.LINGER);
        ended(f);
    }

    /** What still runs then is waited for. */
    @Test
    void whatIsInFlightMayTakeLonger() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(1, FIND);
        f.session.onServerConnected(f.server, () -> {});
        f.server.written.clear();
        f.session.onPrimaryLost(true);
        f.loop.pass(Farewell.LINGER);
        assertThat(f.client.closed).isFalse();
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1);
        ended(f);
    }

    /** Behind what is in flight, in its turn. */
    @Test
    void aSecondRequestIsAnsweredBehindTheFirst() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(1, FIND);
        f.session.onServerConnected(f.server, () -> {});
        f.server.written.clear();
        f.session.onPrimaryLost(true);
        f.request(2, FIND);
        assertThat(f.client.written).isEmpty();
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(91);
        ended(f);
    }

    /** The process stops meanwhile: it does not wait for anybody. */
    @Test
    void aShutdownEndsTheWait() {
        SessionFixture f = left();
        f.session.drain();
        assertThat(f.client.closed).isTrue();
        assertThat(f.counters.closes(CloseCause.SHUTDOWN)).isOne();
    }
}
