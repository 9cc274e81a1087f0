package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Multi-document transactions and retryable writes over a {@link ScriptedData}, as a mongos answers them; a transaction's
 * writes show to others when it is committed. Thread-safe.
 */
final class ScriptedTransactions {
    private static final BsonDocument RECOVERY_TOKEN = BsonDocument.parse("{recoveryShardId: 'shard-a'}");

    private enum Stage {
        RUNNING,
        COMMITTED,
        ABORTED
    }

    /** One write of a transaction, to be done again when it is committed. */
    private record Write(String database, BsonDocument command) {}

    private static final class Transaction {
        final long number;
        final ScriptedData view;
        final List<Write> writes = new ArrayList<>();
        Stage stage = Stage.RUNNING;

        Transaction(long number, ScriptedData view) {
            this.number = number;
            this.view = view;
        }
    }

    private final ScriptedData data;
    private final Map<BsonDocument, Transaction> bySession = new ConcurrentHashMap<>();
    private final Map<String, BsonDocument> retryable;
    private final Set<String> outcomes;
    private boolean recoverable = true;
    private int committed;
    private int aborted;

    ScriptedTransactions(ScriptedData data) {
        this(data, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
    }

    private ScriptedTransactions(ScriptedData data, Map<String, BsonDocument> retryable, Set<String> outcomes) {
        this.data = data;
        this.retryable = retryable;
        this.outcomes = outcomes;
    }

    /** Those of another router of the same cluster: it knows what was committed, but not what is under way here. */
    ScriptedTransactions ofAnotherRouter() {
        return new ScriptedTransactions(data, retryable, outcomes);
    }

    /** Is no router's: replies carry no recovery token. */
    synchronized void withoutRecoveryTokens() {
        recoverable = false;
    }

    private BsonDocument recoverable(BsonDocument reply) {
        return recoverable ? reply.append("recoveryToken", RECOVERY_TOKEN) : reply;
    }

    synchronized int committed() {
        return committed;
    }

    synchronized int aborted() {
        return aborted;
    }

    /** Carries out {@code command}, within its transaction where it names one. */
    synchronized BsonDocument run(String database, BsonDocument command) {
        if (!command.containsKey("txnNumber")) {
            return data.run(database, command);
        }
        BsonDocument session = command.getDocument("lsid");
        long number = command.getNumber("txnNumber").longValue();
        if (!command.containsKey("autocommit")) {
            return retryable.computeIfAbsent(session.toJson() + number, key -> data.run(database, command));
        }
        Transaction transaction = bySession.get(session);
        return switch (command.getFirstKey()) {
            case "commitTransaction" -> commit(transaction, session.toJson() + number, number, command);
            case "abortTransaction" -> abort(transaction, number);
            default -> inTransaction(database, command, session, number, transaction);
        };
    }

    private BsonDocument inTransaction(
            String database, BsonDocument command, BsonDocument session, long number, @Nullable Transaction known) {
        Transaction transaction = known;
        if (command.getBoolean("startTransaction", BsonBoolean.FALSE).getValue()) {
            transaction = new Transaction(number, data.copy());
            bySession.put(session, transaction);
        }
        if (transaction == null || transaction.number != number || transaction.stage != Stage.RUNNING) {
            return noSuchTransaction(number)
                    .append("errorLabels", new BsonArray(List.of(new BsonString("TransientTransactionError"))));
        }
        if (ScriptedData.isWrite(command.getFirstKey())) {
            transaction.writes.add(new Write(database, command));
        }
        return recoverable(transaction.view.run(database, command));
    }

    private BsonDocument commit(@Nullable Transaction transaction, String identity, long number, BsonDocument command) {
        if (outcomes.contains(identity)) {
            return recoverable(ReplyDocuments.ok());
        }
        if (transaction == null || transaction.number != number || transaction.stage == Stage.ABORTED) {
            return noSuchTransaction(number);
        }
        if (!Objects.equals(recoverable ? RECOVERY_TOKEN : null, command.get("recoveryToken"))) {
            throw new IllegalStateException("recoveryToken: " + command.get("recoveryToken") + " (expected: "
                    + (recoverable ? RECOVERY_TOKEN + ", which every reply of the transaction carried)" : "none)"));
        }
        if (transaction.stage == Stage.RUNNING) {
            transaction.writes.forEach(write -> data.run(write.database(), write.command()));
            transaction.stage = Stage.COMMITTED;
            outcomes.add(identity);
            committed++;
        }
        return recoverable(ReplyDocuments.ok());
    }

    private BsonDocument abort(@Nullable Transaction transaction, long number) {
        if (transaction == null || transaction.number != number || transaction.stage != Stage.RUNNING) {
            return noSuchTransaction(number);
        }
        transaction.stage = Stage.ABORTED;
        aborted++;
        return ReplyDocuments.ok();
    }

    private static BsonDocument noSuchTransaction(long number) {
        return ReplyDocuments.error(
                251, "NoSuchTransaction", "Transaction " + number + " has been aborted or was never started");
    }
}
