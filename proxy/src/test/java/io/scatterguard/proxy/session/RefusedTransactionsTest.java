package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.session.Authentication.Identity;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedTransactionsTest {
    private static final String ID = "{$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}";

    private final RefusedTransactions transactions = new RefusedTransactions();

    private static TransactionId id(long session, long number) {
        return id(session, number, null);
    }

    private static TransactionId id(long session, long number, @Nullable Identity user) {
        return new TransactionId(new TransactionId.Session(new UUID(0, session), user), number);
    }

    @Test
    void aRefusedOneAndWhatCameBeforeItInItsSessionIsOver() {
        transactions.remember(id(1, 5));

        assertThat(transactions.isOver(id(1, 5))).isTrue();
        assertThat(transactions.isOver(id(1, 4))).isTrue();
        assertThat(transactions.isOver(id(1, 6))).isFalse();
        assertThat(transactions.isOver(id(2, 5))).isFalse();
    }

    /** As servers tell sessions apart: the id is chosen by the client. */
    @Test
    void aSessionIsItsUsersOnly() {
        Identity alice = new Identity("alice", "admin");
        transactions.remember(id(1, 5, alice));

        assertThat(transactions.isOver(id(1, 5, new Identity("alice", "admin"))))
                .isTrue();
        assertThat(transactions.isOver(id(1, 5, new Identity("bob", "admin")))).isFalse();
        assertThat(transactions.isOver(id(1, 5, new Identity("alice", "shop")))).isFalse();
        assertThat(transactions.isOver(id(1, 5))).isFalse();
        transactions.begun(id(1, 6, new Identity("bob", "admin")));
        assertThat(transactions.isOver(id(1, 5, alice))).as("another's next").isTrue();
    }

    @Test
    void theNextOneOfItsSessionClearsIt() {
        transactions.remember(id(1, 5));
        transactions.remember(id(2, 5));
        transactions.begun(id(1, 5));
        transactions.begun(id(1, 4));
        assertThat(transactions.isOver(id(1, 5))).as("begun again").isTrue();
        transactions.begun(id(1, 6));
        assertThat(transactions.isOver(id(1, 5))).isFalse();
        assertThat(transactions.isOver(id(2, 5))).isTrue();
        transactions.begun(id(2, 6));
        assertThat(transactions.size()).isZero();
    }

    @Test
    void aLateRefusalOfAnOlderOneHidesNone() {
        transactions.remember(id(1, 5));
        transactions.remember(id(1, 3));
        assertThat(transactions.isOver(id(1, 5))).isTrue();
    }

    @Test
    void theOldestGivesWayToTheNewest() {
        for (int session = 0; session < RefusedTransactions.MAX_SESSIONS; session++) {
            transactions.remember(id(session, 1));
        }
        transactions.remember(id(0, 2));
        transactions.remember(id(-1, 1));

        assertThat(transactions.size()).isEqualTo(RefusedTransactions.MAX_SESSIONS);
        assertThat(transactions.isOver(id(1, 1))).as("the oldest").isFalse();
        assertThat(transactions.isOver(id(0, 2))).as("refused again since").isTrue();
        assertThat(transactions.isOver(id(-1, 1))).isTrue();
    }

    /** Many event loops at one time: nothing is lost. */
    @Test
    void isSharedByThreads() {
        IntStream.range(0, 8).parallel().forEach(thread -> {
            for (int i = 0; i < 1_000; i++) {
                transactions.remember(id(thread, 2L * i));
                transactions.begun(id(thread, 2L * i + 1));
                transactions.remember(id(100 + thread, i));
            }
        });
        assertThat(transactions.size()).isEqualTo(8);
        assertThat(IntStream.range(0, 8)).allMatch(thread -> transactions.isOver(id(100 + thread, 999)));
    }

    private static CommandView command(String fields) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse("{find: 'c', " + fields + "}")));
    }

    @Test
    void isIdentifiedBySessionAndNumber() {
        String session = "lsid: {id: " + ID + "}, autocommit: false, ";
        TransactionId id = new TransactionId(
                new TransactionId.Session(
                        UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"), new Identity("a", "b")),
                7);

        assertThat(TransactionId.of(command(session + "txnNumber: {$numberLong: '7'}"), new Identity("a", "b")))
                .isEqualTo(id);
        assertThat(TransactionId.of(command(session + "txnNumber: 7"), new Identity("a", "b")))
                .isEqualTo(id);
        assertThat(TransactionId.isBegunBy(command(session + "txnNumber: 7, startTransaction: true")))
                .isTrue();
        assertThat(TransactionId.isBegunBy(command(session + "txnNumber: 7, startTransaction: false")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lsid: {id: %s}, txnNumber: 7",
                "lsid: {id: %s}, autocommit: true, txnNumber: 7",
                "lsid: {id: %s}, autocommit: false",
                "lsid: {id: %s}, autocommit: false, txnNumber: 'x'",
                "lsid: {id: 'x', other: %s}, autocommit: false, txnNumber: 7",
                "lsid: {}, autocommit: false, txnNumber: 7",
                "lsid: 1, autocommit: false, txnNumber: 7",
                "autocommit: false, txnNumber: 7",
                "lsid: {id: {$binary: {base64: 'AAEC', subType: '04'}}}, autocommit: false, txnNumber: 7",
            })
    void whatNoServerTakesForATransactionIsNone(String fields) {
        assertThat(TransactionId.of(command(fields.formatted(ID)), null)).isNull();
    }
}
