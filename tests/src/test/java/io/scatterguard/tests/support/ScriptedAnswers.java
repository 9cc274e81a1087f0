package io.scatterguard.tests.support;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What a {@link ScriptedMongos} answers: what a test said, else what it was given the ability to, else what any mongos would. */
final class ScriptedAnswers {
    private static final Reply NO_TRANSACTION_NUMBERS = Reply.error(
            20, "IllegalOperation", "Transaction numbers are only allowed on a replica set member or mongos");

    private final Map<String, Function<WireFrame, Reply>> handlers = new ConcurrentHashMap<>();
    private final Map<String, Queue<Reply>> once = new ConcurrentHashMap<>();
    private final BsonDocument extraHelloFields = new BsonDocument();
    private volatile UnaryOperator<Reply> metadata = UnaryOperator.identity();
    private volatile ScriptedCatalog catalog = new ScriptedCatalog(CatalogDocuments.EMPTY);
    private volatile List<ScriptedUser> users = List.of();
    private volatile List<String> compressors = List.of();
    private volatile @Nullable ScriptedData data;
    private volatile @Nullable ScriptedTransactions transactions;
    private volatile @Nullable ClusterTimeGossip gossip;
    private volatile boolean standalone;

    void on(String command, Function<WireFrame, Reply> handler) {
        handlers.put(key(command), handler);
    }

    void once(String command, Reply reply) {
        Queue<Reply> queue = once.computeIfAbsent(key(command), name -> new ArrayDeque<>());
        synchronized (queue) {
            queue.add(reply);
        }
    }

    void helloField(String name, BsonValue value) {
        synchronized (extraHelloFields) {
            extraHelloFields.append(name, value);
        }
    }

    void catalog(ScriptedCatalog other) {
        catalog = other;
    }

    void users(List<ScriptedUser> some) {
        users = List.copyOf(some);
    }

    void compressors(List<WireCompressor> some) {
        compressors = some.stream().map(WireCompressor::wireName).toList();
    }

    void metadata(UnaryOperator<Reply> change) {
        metadata = change;
    }

    ScriptedData keepData() {
        ScriptedData started = new ScriptedData();
        data = started;
        transactions = new ScriptedTransactions(started);
        return started;
    }

    ScriptedTransactions transactions() {
        ScriptedTransactions current = transactions;
        if (current == null) {
            throw new IllegalStateException("no transactions (expected: withData() before)");
        }
        return current;
    }

    ScriptedData data() {
        ScriptedData current = data;
        if (current == null) {
            throw new IllegalStateException("no data (expected: withData() before)");
        }
        return current;
    }

    /** Makes this a router of the same cluster: the same documents, the same clock. */
    void share(ScriptedAnswers other) {
        data = other.data;
        transactions = other.transactions().ofAnotherRouter();
        gossip = other.gossip;
    }

    void gossip() {
        gossip = new ClusterTimeGossip();
    }

    void standalone() {
        standalone = true;
    }

    /** What to answer to connections, each of which has a login of its own. */
    Function<WireFrame, Reply> ofConnection(int number) {
        ScriptedLogin login = new ScriptedLogin(() -> users);
        return request -> stamped(request, reply(request, number, login));
    }

    private Reply stamped(WireFrame request, Reply reply) {
        ClusterTimeGossip clock = gossip;
        if (clock == null) {
            return reply;
        }
        clock.check(request.command());
        return out -> reply.writeTo(out.decorated(clock::stamped));
    }

    private Reply reply(WireFrame request, int connectionNumber, ScriptedLogin login) {
        String name = key(request.commandName());
        Queue<Reply> queue = once.getOrDefault(name, new ArrayDeque<>());
        synchronized (queue) {
            Reply next = queue.poll();
            if (next != null) {
                return next;
            }
        }
        Optional<Reply> locked = login.refusal(request);
        if (locked.isPresent()) {
            return locked.get();
        }
        ScriptedCatalog current = catalog;
        if (current.answers(request)) {
            return metadata.apply(current.reply(request));
        }
        Function<WireFrame, Reply> handler = handlers.get(name);
        if (handler != null) {
            return handler.apply(request);
        }
        return login.answer(request)
                .or(() -> ability(request))
                .orElseGet(() -> MongosCommands.answer(request, connectionNumber, helloFields(request, login)));
    }

    private Optional<Reply> ability(WireFrame request) {
        if (standalone && request.command().containsKey("txnNumber")) {
            return Optional.of(NO_TRANSACTION_NUMBERS);
        }
        ScriptedTransactions store = transactions;
        if (store == null) {
            return Optional.empty();
        }
        if (LegacyFind.isOne(request)) {
            return Optional.of(LegacyFind.reply(request, data()));
        }
        String name = request.commandName();
        boolean answered =
                ScriptedData.answers(name) || name.equals("commitTransaction") || name.equals("abortTransaction");
        return answered ? Optional.of(fromStore(store, request)) : Optional.empty();
    }

    /** Carried out now, answered in its turn; an exhaust {@code getMore} goes on to the end of the cursor. */
    private static Reply fromStore(ScriptedTransactions store, WireFrame request) {
        BsonDocument first = store.run(request.database(), request.commandWithSequences());
        if (!request.exhaustAllowed() || !request.commandName().equals("getMore")) {
            return Reply.document(first);
        }
        return out -> {
            BsonDocument batch = first;
            while (hasMore(batch)) {
                out.document(batch, WireFrame.MORE_TO_COME);
                batch = store.run(request.database(), request.command());
            }
            out.document(batch);
        };
    }

    private static boolean hasMore(BsonDocument reply) {
        return reply.containsKey("cursor")
                && reply.getDocument("cursor").getNumber("id").longValue() != 0;
    }

    private BsonDocument helloFields(WireFrame request, ScriptedLogin login) {
        BsonDocument fields = login.helloFields(request.command());
        if (!compressors.isEmpty() && request.command().containsKey("compression")) {
            List<BsonValue> common = request.command().getArray("compression").stream()
                    .filter(offered -> compressors.contains(offered.asString().getValue()))
                    .toList();
            if (!common.isEmpty()) {
                fields.append("compression", new BsonArray(common));
            }
        }
        if (standalone) {
            fields.append("msg", new BsonString(""));
        }
        synchronized (extraHelloFields) {
            fields.putAll(extraHelloFields);
        }
        return fields;
    }

    private static String key(String command) {
        return command.toLowerCase(Locale.ROOT);
    }
}
