package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A request whose reply has not ended: forwarded to the server, or answered by us and waiting for its turn. */
final class InFlightRequest {
    /** What the session must know of a request besides its reply. */
    enum Role {
        HANDSHAKE,
        /** Until its reply it is not known who the client is. */
        AUTHENTICATION,
        COMMAND,
        /** The server answers nothing. */
        UNANSWERED
    }

    private int requestBytes;
    private final Role role;
    private final @Nullable PendingRecord record;
    private final long receivedNanos;
    private int expectedResponseTo;
    private long forwardedNanos;
    private boolean wasForwarded;
    private boolean ours;
    private boolean hello;
    private boolean holdsBack;
    private long replyBytes;
    private @Nullable ByteBuf localReply;
    private ReplyFacts localFacts = ReplyFacts.REFUSED;
    private boolean exhaustAllowed;
    private @Nullable Consumer<BsonDocument> replyListener;
    private @Nullable Namespace namespace;
    private CommandMeter.@Nullable Tally tally;
    private int shards;

    InFlightRequest(int requestId, int requestBytes, Role role, @Nullable PendingRecord record, long receivedNanos) {
        this.expectedResponseTo = requestId;
        this.requestBytes = requestBytes;
        this.role = role;
        this.record = record;
        this.receivedNanos = receivedNanos;
    }

    /** Makes this a request that is answered by us; takes {@code reply}. */
    InFlightRequest answeredBy(ByteBuf reply) {
        localReply = reply;
        replyBytes = reply.readableBytes();
        return this;
    }

    /** Likewise with an outcome other than a refusal. */
    InFlightRequest answeredBy(ByteBuf reply, ReplyFacts facts) {
        localFacts = facts;
        return answeredBy(reply);
    }

    /** Makes this a request that came as {@code bytes} bytes, other than its content: it was compressed. */
    void cameAs(int bytes) {
        requestBytes = bytes;
    }

    /** Lets the server answer by several replies, each but the last with {@code moreToCome}. */
    InFlightRequest allowingExhaust(boolean allowed) {
        exhaustAllowed = allowed;
        return this;
    }

    boolean exhaustAllowed() {
        return exhaustAllowed;
    }

    /** Has the decoded reply given to {@code listener} when it is small enough to be collected. */
    InFlightRequest listening(Consumer<BsonDocument> listener) {
        replyListener = listener;
        return this;
    }

    /** Makes this a {@code hello}, in whatever spelling: its reply shows what the server is. */
    InFlightRequest hello() {
        hello = true;
        return this;
    }

    boolean isHello() {
        return hello;
    }

    /** Makes this a request about {@code about}. */
    InFlightRequest about(Namespace about) {
        namespace = about;
        return this;
    }

    /** Has it measured by {@code by}, as one that reaches {@code reached} shards. */
    InFlightRequest measured(CommandMeter.Tally by, int reached) {
        tally = by;
        shards = reached;
        return this;
    }

    /** Where it is counted when it has ended; null for a request that was not judged. */
    CommandMeter.@Nullable Tally tally() {
        return tally;
    }

    /** How many shards it reaches, where it was judged. */
    int shards() {
        return shards;
    }

    /** What it is about, where it was judged. */
    @Nullable Namespace namespace() {
        return namespace;
    }

    /** Makes this a request of our own, whose reply is not the client's. */
    InFlightRequest ours() {
        ours = true;
        return this;
    }

    boolean isOurs() {
        return ours;
    }

    /** Has what comes behind it held until this one is answered. */
    void holdingBack() {
        holdsBack = true;
    }

    /** Whether what comes behind it must wait: until its reply it is not known who the client is, or what of it is over. */
    boolean holdsBack() {
        return holdsBack || role == Role.AUTHENTICATION;
    }

    void forwardedAt(long nanos) {
        forwardedNanos = nanos;
        wasForwarded = true;
    }

    boolean isLocal() {
        return localReply != null;
    }

    /** The size of the local reply; 0 if there is none. */
    int localBytes() {
        return localReply == null ? 0 : localReply.readableBytes();
    }

    /** What the local reply says. */
    ReplyFacts localFacts() {
        return localFacts;
    }

    /** Hands the local reply over to the caller, who owns it from then on. */
    ByteBuf takeLocalReply() {
        ByteBuf reply = localReply;
        localReply = null;
        if (reply == null) {
            throw new IllegalStateException("no local reply");
        }
        return reply;
    }

    /**
     * The {@code requestId} that the next reply must answer. In an exhaust stream that is the previous reply's own
     * {@code requestId}.
     */
    int expectedResponseTo() {
        return expectedResponseTo;
    }

    void expectResponseTo(int requestId) {
        expectedResponseTo = requestId;
    }

    Role role() {
        return role;
    }

    @Nullable PendingRecord record() {
        return record;
    }

    @Nullable Consumer<BsonDocument> replyListener() {
        return replyListener;
    }

    void replied(int messageLength) {
        replyBytes += messageLength;
    }

    int requestBytes() {
        return requestBytes;
    }

    long replyBytes() {
        return replyBytes;
    }

    long receivedNanos() {
        return receivedNanos;
    }

    boolean wasForwarded() {
        return wasForwarded;
    }

    /** When it was sent on; 0 if it never was. */
    long forwardedNanos() {
        return forwardedNanos;
    }

    void release() {
        if (localReply != null) {
            localReply.release();
            localReply = null;
        }
    }
}
