package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;

/**
 * Several scripted members of a replica set over the same documents: one is the primary, the others refuse what only the
 * primary does. A step-down changes who that is and closes no socket.
 */
public final class ScriptedReplicaSet implements AutoCloseable {
    private static final String NAME = "rs0";
    private static final List<String> READS = List.of("find", "aggregate", "count", "distinct", "getMore");
    private static final List<String> WRITES =
            List.of("insert", "update", "delete", "findAndModify", "commitTransaction", "abortTransaction");

    private final List<ScriptedMongos> members = new ArrayList<>();
    /** The members' addresses in the set's own configuration. */
    private final List<String> names = new ArrayList<>();

    private final AtomicInteger notPrimaryErrors = new AtomicInteger();
    private int primary;
    private int term = 1;

    private ScriptedReplicaSet() {}

    /** {@code count} members, of which the first is the primary. */
    public static ScriptedReplicaSet start(int count) {
        ScriptedReplicaSet set = new ScriptedReplicaSet();
        for (int i = 0; i < count; i++) {
            set.add(i);
        }
        return set;
    }

    /** One member, whose own configuration has a name that means nothing here: as in a container with a published port. */
    public static ScriptedReplicaSet startInContainer() {
        ScriptedReplicaSet set = start(1);
        set.names.set(0, "c0ffee.invalid:27017");
        return set;
    }

    private void add(int index) {
        ScriptedMongos member = ScriptedMongos.start();
        ScriptedMember script = new ScriptedMember(this, index);
        if (index == 0) {
            member.withData();
        } else {
            member.withData().ofTheClusterOf(members.get(0));
        }
        member.withoutRecoveryTokens();
        members.add(member);
        names.add(member.address());
        for (String hello : List.of("hello", "isMaster")) {
            member.on(hello, script::hello);
        }
        for (String read : READS) {
            member.on(
                    read,
                    request -> isPrimary(index)
                            ? Reply.document(member.carriedOut(request))
                            : notPrimary(index, 13_435, request));
        }
        for (String write : WRITES) {
            member.on(
                    write,
                    request -> isPrimary(index)
                            ? Reply.document(member.carriedOut(request))
                            : notPrimary(index, 10_107, request));
        }
    }

    private Reply notPrimary(int index, int code, WireFrame request) {
        notPrimaryErrors.incrementAndGet();
        String name = code == 10_107 ? "NotWritablePrimary" : "NotPrimaryNoSecondaryOk";
        BsonDocument error =
                ReplyDocuments.error(code, name, "not primary").append("topologyVersion", topologyVersion(index));
        if (request.command().containsKey("txnNumber")) {
            error.append("errorLabels", new BsonArray(List.of(new BsonString("RetryableWriteError"))));
        }
        return Reply.document(error);
    }

    /** Makes the member {@code to} the primary. Monitors that wait for a change are told; every socket stays open. */
    public synchronized void stepDown(int to) {
        primary = to;
        term++;
        notifyAll();
    }

    /** Likewise, but monitors that wait are not told before they ask again. */
    public synchronized void stepDownUnnoticed(int to) {
        primary = to;
        term++;
    }

    /** Leaves the set without a primary. */
    public void stepDown() {
        stepDown(-1);
    }

    synchronized boolean isPrimary(int index) {
        return primary == index;
    }

    synchronized int term() {
        return term;
    }

    /** Waits until the term is not {@code known} any more, at most for {@code millis}. */
    synchronized void awaitChange(int known, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = millis; term == known && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /** What a member says of the set, as the members of that set do. */
    synchronized BsonDocument about(int index) {
        BsonDocument fields = new BsonDocument("topologyVersion", topologyVersion(index))
                .append(
                        "hosts",
                        new BsonArray(names.stream().map(BsonString::new).toList()))
                .append("setName", new BsonString(NAME))
                .append("setVersion", new BsonInt32(1));
        if (primary >= 0) {
            fields.append("primary", new BsonString(names.get(primary)));
        }
        if (primary == index) {
            fields.append("electionId", new BsonObjectId(new ObjectId(String.format("7fffffff%016x", term))));
        }
        return fields.append("me", new BsonString(names.get(index)));
    }

    private synchronized BsonDocument topologyVersion(int index) {
        return new BsonDocument(
                        "processId", new BsonObjectId(new ObjectId(String.format("65f0000000000000%08x", index))))
                .append("counter", new BsonInt64(term));
    }

    /** Names the member by another address, at which something stands in front of it. */
    public synchronized void rename(int index, String address) {
        names.set(index, address);
    }

    public ScriptedMongos member(int index) {
        return members.get(index);
    }

    /** All members' addresses as a YAML list. */
    public String hosts() {
        return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", ", "[", "]"));
    }

    /** What the collection holds, which all members share. */
    public List<BsonDocument> documents(String namespace) {
        return members.get(0).documents(namespace);
    }

    /** How many requests were answered by that the member is not the primary. */
    public int notPrimaryErrors() {
        return notPrimaryErrors.get();
    }

    /** The application names in the first {@code hello} of every connection that ever reached the member. */
    public Set<String> applications(int index) {
        return members.get(index).connections().stream()
                .flatMap(connection -> connection.received().stream().limit(1))
                .map(first -> first.command()
                        .getDocument("client", new BsonDocument())
                        .getDocument("application", new BsonDocument())
                        .getString("name", new BsonString("unknown"))
                        .getValue())
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        members.forEach(ScriptedMongos::close);
    }
}
