package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal in a transaction, statement by statement. */
class TransactionRefusalsTest {
    private static final String LSID = "{id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}}";
    private static final String OK = "{ok: 1.0}";
    private static final int ABORT = TransactionRefusals.ABORT_REQUEST_ID;

    private final SessionFixture f = SessionFixture.connected();

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static String in(int transaction, String fields) {
        return "{" + fields + ", lsid: " + LSID + ", txnNumber: {$numberLong: '" + transaction
                + "'}, autocommit: false, $db: 'shop'}";
    }

    private static String first(int transaction, String fields) {
        return in(transaction, fields + ", startTransaction: true");
    }

    private static String refused(int transaction) {
        return in(transaction, "find: 'refused'");
    }

    /** Two statements of a transaction, the second one refused, and the abort answered by {@code answer}. */
    private void refuseSecond(String answer) {
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        f.request(2, refused(1));
        f.reply(102, ABORT, 0, answer);
        f.server.written.clear();
        f.client.written.clear();
    }

    private int answerTo(int requestId, String command) {
        int before = f.client.written.size();
        f.request(requestId, command);
        assertThat(f.client.written).as("answered by the proxy").hasSize(before + 1);
        assertThat(f.client.responsesTo().get(before)).isEqualTo(requestId);
        return f.lastReply().getInt32("code").getValue();
    }

    @Test
    void theServerIsToldBeforeTheClient() {
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        f.request(2, in(1, "find: 'refused', apiVersion: '1', apiStrict: true"));

        assertThat(f.server.requestIds()).containsExactly(1, ABORT);
        assertThat(f.lastForwarded())
                .isEqualTo(
                        BsonDocument.parse(
                                "{abortTransaction: 1, lsid: " + LSID
                                        + ", txnNumber: {$numberLong: '1'}, apiVersion: '1', apiStrict: true, autocommit: false, $db: 'admin'}"));
        assertThat(f.client.responsesTo()).as("not before the abort is done").containsExactly(1);

        f.reply(102, ABORT, 0, OK);
        assertThat(f.client.responsesTo())
                .as("the reply to the abort is nobody's")
                .containsExactly(1, 2);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(f.client.flushed).isEqualTo(2);
        assertThat(f.counters.refusedCommands()).isEqualTo(1);
        assertThat(f.outcomes).as("ping, insert, find; the abort has no record").hasSize(3);
    }

    @Test
    void whatComesBehindWaitsForTheAbort() {
        f.request(1, first(1, "insert: 'c'"));
        f.request(2, refused(1));
        f.request(3, "{find: 'c', $db: 'shop'}");
        f.request(4, in(1, "insert: 'c'"));
        f.request(5, "{find: 'd', $db: 'shop'}");
        assertThat(f.server.requestIds()).containsExactly(1, ABORT);
        f.reply(101, 1, 0, OK);
        assertThat(f.server.requestIds()).containsExactly(1, ABORT);
        assertThat(f.client.responsesTo()).containsExactly(1);

        f.reply(102, ABORT, 0, OK);
        assertThat(f.server.requestIds()).containsExactly(1, ABORT, 3, 5);
        assertThat(f.server.flushed).isEqualTo(4);
        f.reply(103, 3, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3, 4);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(251);
        f.reply(105, 5, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void aFirstStatementHasBegunNothing() {
        assertThat(answerTo(1, first(1, "find: 'refused'"))).isEqualTo(Refusal.CODE);
        assertThat(answerTo(2, in(1, "insert: 'c'"))).isEqualTo(251);
        assertThat(answerTo(3, in(1, "commitTransaction: 1"))).isEqualTo(251);
        assertThat(f.server.written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {OK, "{ok: 0.0, code: 251, codeName: 'NoSuchTransaction'}", "{ok: 0.0, code: 6}"})
    void nothingOfItPassesAnyMoreWhateverTheServerSaidToTheAbort(String answer) {
        refuseSecond(answer);
        for (String command :
                List.of("insert: 'c'", "find: 'refused'", "commitTransaction: 1", "abortTransaction: 1", "ping: 1")) {
            assertThat(answerTo(7, in(1, command))).as(command).isEqualTo(251);
            assertThat(f.lastReply().getString("codeName").getValue()).isEqualTo("NoSuchTransaction");
            assertThat(f.lastReply().getArray("errorLabels"))
                    .as("drivers repeat what is labelled as transient")
                    .containsExactly(new BsonString("ScatterguardRefused"));
        }
        assertThat(answerTo(8, first(1, "insert: 'c'"))).as("begun again").isEqualTo(251);
        f.request(SessionFixture.frame(9, 0, OpMsg.MORE_TO_COME, in(1, "insert: 'c'")));
        assertThat(f.server.written).isEmpty();
        assertThat(f.client.written).hasSize(6);
        assertThat(f.verdicts.get(f.verdicts.size() - 1).reason()).isEqualTo("transactionRefused");
        assertThat(f.outcomes.get(f.outcomes.size() - 2).code()).isEqualTo(251);
    }

    @Test
    void theSessionsNextTransactionAndWhatIsOutsidePasses() {
        refuseSecond(OK);
        f.request(3, "{insert: 'c', lsid: " + LSID + ", txnNumber: {$numberLong: '1'}, $db: 'shop'}");
        f.request(4, "{insert: 'c', lsid: " + LSID + ", $db: 'shop'}");
        assertThat(f.transactions.size()).isEqualTo(1);
        f.request(5, first(2, "insert: 'c'"));
        f.request(6, in(2, "commitTransaction: 1"));
        assertThat(f.server.requestIds()).containsExactly(3, 4, 5, 6);
        assertThat(f.transactions.size()).isZero();
    }

    @Test
    void aCommitOnAnotherConnectionOfTheListenerIsAnsweredToo() {
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        f.request(2, refused(1));
        f.session.close(CloseCause.SERVER_CLOSED);

        SessionFixture other = SessionFixture.sharing(f.transactions);
        other.request(3, in(1, "commitTransaction: 1"));
        assertThat(other.server.written).isEmpty();
        assertThat(other.lastReply().getInt32("code").getValue()).isEqualTo(251);
        other.request(4, in(1, "commitTransaction: 1").replace("AAEC", "BBEC"));
        assertThat(other.server.requestIds()).as("of another session").containsExactly(4);
    }

    /** The id of a session is chosen by the client, so that two users may have the same. */
    @Test
    void anotherUsersSessionOfTheSameIdIsLeftAlone() {
        f.request(10, plain("AGFsaWNlAHg="));
        f.reply(110, 10, 0, "{ok: 1.0, done: true, conversationId: 1}");
        refuseSecond(OK);
        SessionFixture other = SessionFixture.sharing(f.transactions);
        other.request(10, plain("AGJvYgB4"));
        other.reply(110, 10, 0, "{ok: 1.0, done: true, conversationId: 1}");
        other.request(3, in(1, "commitTransaction: 1"));
        assertThat(other.server.requestIds()).containsExactly(10, 3);
        SessionFixture own = SessionFixture.sharing(f.transactions);
        own.request(10, plain("AGFsaWNlAHg="));
        own.reply(110, 10, 0, "{ok: 1.0, done: true, conversationId: 1}");
        own.request(3, in(1, "commitTransaction: 1"));
        assertThat(own.lastReply().getInt32("code").getValue()).isEqualTo(251);
    }

    /** The start of a PLAIN conversation that is done with one step. */
    private static String plain(String payload) {
        return "{saslStart: 1, mechanism: 'PLAIN', payload: {$binary: {base64: '" + payload
                + "', subType: '00'}}, $db: '$external'}";
    }

    @Test
    void aSwitchToBypassLetsNothingOfItThrough() {
        refuseSecond(OK);
        f.policy = PolicyBypass.BYPASS;
        assertThat(answerTo(3, in(1, "commitTransaction: 1"))).isEqualTo(251);
        f.request(4, in(2, "commitTransaction: 1"));
        assertThat(f.server.requestIds()).containsExactly(4);
    }

    @Test
    void whoMustAuthenticateFirstIsAnsweredByTheServer() {
        refuseSecond(OK);
        SessionFixture stranger = SessionFixture.sharing(f.transactions, AccessControl.required());
        stranger.request(3, in(1, "commitTransaction: 1"));
        stranger.request(4, first(2, "insert: 'c'"));
        assertThat(stranger.server.requestIds()).containsExactly(3, 4);
        assertThat(f.transactions.size()).as("a stranger clears nothing").isEqualTo(1);
    }

    @Test
    void whatNoServerTakesForATransactionIsRefusedLikeAnythingElse() {
        assertThat(answerTo(1, "{find: 'refused', txnNumber: 1, autocommit: false, $db: 'shop'}"))
                .isEqualTo(Refusal.CODE);
        assertThat(f.server.written).isEmpty();
        assertThat(f.transactions.size()).isZero();
    }

    @Test
    void aFaultOfOursForwardsTheStatement() {
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        f.allocator.failAfter(1);
        f.request(2, refused(1));
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.counters.internalErrorCount()).isEqualTo(1);
        assertThat(f.transactions.size()).isZero();
    }

    @Test
    void aCompressedStatementIsRefusedLikewise() {
        MessageCompression compression = MessageCompression.load();
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        var plain = SessionFixture.frame(2, 0, 0, refused(1));
        f.request(compression.deflate(UnpooledByteBufAllocator.DEFAULT, plain, 2));
        plain.release();
        assertThat(f.server.requestIds()).containsExactly(1, ABORT);
        assertThat(f.lastForwarded().getFirstKey()).isEqualTo("abortTransaction");
        assertThat(f.client.responsesTo()).containsExactly(1);
        f.reply(102, ABORT, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(f.client.headers().get(1).opCode()).isEqualTo(OpCode.OP_COMPRESSED);
    }

    /** A client's own request of the same number is told apart by its place. */
    @Test
    void theNumberOfTheAbortMayBeAClientsToo() {
        f.request(ABORT, first(1, "insert: 'c'"));
        f.request(2, refused(1));
        f.reply(101, ABORT, 0, "{ok: 1.0, n: 5}");
        assertThat(f.client.responsesTo()).containsExactly(ABORT);
        assertThat(f.lastReply().get("n")).isEqualTo(new BsonInt32(5));
        f.reply(102, ABORT, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(ABORT, 2);
    }

    @Test
    void theReplyToTheAbortMayComeInParts() {
        f.request(1, first(1, "insert: 'c'"));
        f.reply(101, 1, 0, OK);
        f.request(2, refused(1));
        f.replyInParts(SessionFixture.frame(102, ABORT, 0, "{ok: 1.0, recoveryToken: {}}"), 20);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(f.session.isClosed()).isFalse();
    }
}
