package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A refused command to which no reply is expected: forwarded by default, dropped where that is configured. */
class UnacknowledgedRefusalsTest {
    private static final String DELETE = "{delete: 'refused', $db: 'shop'}";

    private final SessionFixture f = SessionFixture.connected();

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static Policy refusing(boolean unacknowledged) {
        return new Policy() {
            @Override
            public Verdict decide(CommandView command, Route route, ClientInfo client, Instant now) {
                boolean refused = command.namespace().collection().equals("refused");
                return new Verdict(refused ? Action.REFUSE : Action.LOG, false, null, null, "default", 1);
            }

            @Override
            public RefusalTerms refusalTerms(Verdict verdict) {
                return new RefusalTerms(RefusalTerms.Detail.FULL, true, true, unacknowledged);
            }
        };
    }

    private void send(int requestId, String command) {
        f.request(SessionFixture.frame(requestId, 0, OpMsg.MORE_TO_COME, command));
    }

    @Test
    void isDroppedCountedAndRecorded() {
        f.policy = refusing(true);
        int recorded = f.outcomes.size();
        send(1, "{insert: 'c', $db: 'shop'}");
        send(2, DELETE);
        send(3, "{insert: 'c', $db: 'shop'}");
        f.request(4, "{find: 'c', $db: 'shop'}");
        f.reply(104, 4, 0, "{ok: 1.0}");
        assertThat(f.server.requestIds()).containsExactly(1, 3, 4);
        assertThat(f.client.responsesTo()).containsExactly(4);
        assertThat(f.counters.refusedCommands()).isEqualTo(1);
        assertThat(f.verdicts.get(recorded + 1).action()).isEqualTo(Action.REFUSE);
        assertThat(f.outcomes.get(recorded + 1).code()).as("there is no reply").isNull();
        assertThat(f.outcomes.get(recorded + 1).replyBytes()).isZero();
        assertThat(f.outcomes).hasSize(recorded + 4);
    }

    @Test
    void elsewhereItIsForwarded() {
        f.policy = refusing(false);
        send(1, DELETE);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.refusedCommands()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aCompressedOneIsDroppedToo(int compressor) {
        f.policy = refusing(true);
        ByteBuf plain = SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, DELETE);
        ByteBuf compressed = MessageCompression.load().deflate(UnpooledByteBufAllocator.DEFAULT, plain, compressor);
        plain.release();
        f.request(compressed);
        assertThat(f.server.written).isEmpty();
        assertThat(f.counters.refusedCommands()).isEqualTo(1);
        assertThat(compressed.refCnt()).isZero();
    }

    /** No driver sends one; a client that does must not commit the rest. */
    @Test
    void inATransactionItEndsThat() {
        String rest = ", lsid: {id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}},"
                + " txnNumber: 1, autocommit: false, $db: 'shop'}";
        f.policy = refusing(true);
        f.request(1, "{insert: 'c', startTransaction: true" + rest);
        f.reply(101, 1, 0, "{ok: 1.0}");
        send(2, "{delete: 'refused'" + rest);
        f.request(3, "{commitTransaction: 1" + rest);
        assertThat(f.server.requestIds()).containsExactly(1, TransactionRefusals.ABORT_REQUEST_ID);
        f.reply(102, TransactionRefusals.ABORT_REQUEST_ID, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 3);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(251);
    }
}
