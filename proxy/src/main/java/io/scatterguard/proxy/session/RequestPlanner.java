package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.bson.StringCache;
import io.scatterguard.protocol.codec.CompressionOffer;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.MalformedOpMsg;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.OtherMessage;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.session.InFlightRequest.Role;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Decides what is to be done with each request of a session: forward it as it came, or answer it ourselves. */
final class RequestPlanner {

    private final long sessionId;
    private final SessionContext context;
    private final Handshake handshake;
    private final Conversations conversations;
    private final StringCache names = new StringCache();
    private final CompressedRequest compressed;
    private final ParseErrors parseErrors;
    private final MetadataWait metadata;
    private final PlacementChanges changes;
    private final Farewell farewell;
    private final OwnReplies replies;
    private final TransactionRefusals transactions;
    private final Refusals refusals;
    private long receivedNanos;
    private boolean mayWait;

    RequestPlanner(
            long sessionId,
            SessionContext context,
            Handshake handshake,
            MetadataWait metadata,
            PlacementChanges changes,
            Farewell farewell) {
        this.sessionId = sessionId;
        this.context = context;
        this.handshake = handshake;
        this.compressed = new CompressedRequest(context);
        this.replies = new OwnReplies(context);
        this.parseErrors = new ParseErrors(context, replies);
        this.transactions = new TransactionRefusals(context, replies);
        this.refusals = new Refusals(context, replies);
        this.conversations = new Conversations(context, handshake);
        this.metadata = metadata;
        this.changes = changes;
        this.farewell = farewell;
    }

    /**
     * The plan for {@code message}, which is borrowed; null if it has to wait for metadata first, and is then to be planned
     * again, before anything else. A fault of our own gives a plan that forwards it.
     *
     * @throws ProtocolException or {@link MalformedBsonException} if the message breaks the protocol
     */
    @Nullable RequestPlan plan(WireMessage message) {
        mayWait = !metadata.takeHasWaited();
        if (mayWait) {
            context.counters().request(message.header().opCode());
            receivedNanos = now();
        }
        try {
            return message instanceof OpCompressed compressed
                    ? this.compressed.plan(compressed, handshake.maxMessageBytes(), this::planUncompressed)
                    : planUncompressed(message);
        } catch (ProtocolException | MalformedBsonException e) {
            if (!context.judge().isBypassed()) {
                throw e;
            }
            // The way out of a fault of ours in reading, too: the server knows better.
            return forwardUnplanned(message);
        }
    }

    private @Nullable RequestPlan planUncompressed(WireMessage message) {
        try {
            return planned(message);
        } catch (ProtocolException | MalformedBsonException | ClosingException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            context.counters().internalError();
            context.judge().failed(e, message.header().opCode().name(), "forwarded");
            return forwardUnplanned(message);
        }
    }

    /**
     * What a fault of ours left without a plan. The reply to a {@code hello} is presented all the same: of a replica set's own
     * a driver would learn its members, and go past us.
     */
    private RequestPlan forwardUnplanned(WireMessage message) {
        boolean unanswered = message instanceof OpMsg msg && msg.moreToCome();
        Role role = unanswered ? Role.UNANSWERED : roleOf(message);
        if (unanswered || !isHello(message)) {
            return forward(message, request(message, role, null, now()));
        }
        InFlightRequest hello = request(message, Role.HANDSHAKE, null, now()).listening(this::answered);
        return forward(message, hello.hello());
    }

    private boolean isHello(WireMessage message) {
        try {
            CommandView command = commandOf(message);
            return command != null && command.commandName().kind() == CommandName.Kind.HANDSHAKE;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            if (context.traits().asMongos()) {
                throw new ClosingException(
                        CloseCause.INTERNAL_ERROR,
                        "a request could not be read, and may be hello: see the error logged");
            }
            return false;
        }
    }

    private @Nullable RequestPlan planned(WireMessage message) {
        if (message instanceof MalformedOpMsg malformed) {
            return malformed(malformed);
        }
        CommandView command = commandOf(message);
        if (farewell.hasBegun()) {
            return farewell.say(message, command, request(message, Role.COMMAND, null, now()), replies);
        }
        if (command == null) {
            return opaque(message);
        }
        StatusReport report = context.traits().status();
        if (report != null
                && StatusCommand.isMeant(command)
                && !conversations.admission().mustAuthenticateFirst()) {
            return status(message, command, report);
        }
        return switch (command.commandName().kind()) {
            case HANDSHAKE -> handshake(message, command);
            case AUTHENTICATION -> authentication(message, command);
            default -> judged(message, command);
        };
    }

    /** Answered as the server would, which we may not do for a client that has yet to authenticate. */
    private RequestPlan malformed(MalformedOpMsg message) {
        Role role = message.replyExpected() ? Role.COMMAND : Role.UNANSWERED;
        InFlightRequest request = request(message, role, null, now());
        if (context.judge().isBypassed() || conversations.admission().mustAuthenticateFirst()) {
            return forward(message, request);
        }
        return parseErrors.answer(message, request);
    }

    private @Nullable CommandView commandOf(WireMessage message) {
        if (message instanceof OpMsg msg) {
            return CommandView.of(msg, names);
        }
        return message instanceof OpQuery query && query.isCommand() ? CommandView.of(query) : null;
    }

    /** For a message that is not a command we read. No server answers an opcode it does not know: it closes. */
    private static Role roleOf(WireMessage message) {
        return switch (message.header().opCode()) {
            case OP_QUERY, OP_GET_MORE, OP_COMPRESSED -> Role.COMMAND;
            case OP_MSG -> message instanceof OtherMessage other && other.moreToCome() ? Role.UNANSWERED : Role.COMMAND;
            case OP_UPDATE, OP_INSERT, OP_DELETE, OP_KILL_CURSORS, OP_REPLY, UNKNOWN -> Role.UNANSWERED;
        };
    }

    /** Null if metadata is to be loaded first. */
    private @Nullable RequestPlan judged(WireMessage message, CommandView command) {
        long now = receivedNanos;
        Role role = command.replyExpected() ? Role.COMMAND : Role.UNANSWERED;
        Admission admission = conversations.admission();
        boolean judging = !admission.mustAuthenticateFirst();
        TransactionId transaction = judging ? TransactionId.of(command, conversations.user()) : null;
        // Also in bypass: what was refused half-way must not be committed because of a change of mode.
        if (transaction != null && transactions.isOver(command, transaction)) {
            return over(message, command, transaction, role);
        }
        if (context.judge().isBypassed()) {
            return forward(message, request(message, role, null, now));
        }
        if (judging && mayWait && waits(command)) {
            return null;
        }
        Judgement judgement = judging
                ? context.judge().judge(command, handshake.client(), handshake.release(), context.counters())
                : context.judge().unauthenticated(command, handshake.release());
        String duplicate = judging ? parseErrors.duplicateField(command, judgement) : null;
        if (duplicate != null) {
            judgement = judgement.malformed();
        }
        AuditSource source = source(judgement);
        PendingRecord record =
                context.auditor().begin(command, judgement.route(), judgement.wouldFail(), judgement.verdict(), source);
        InFlightRequest request = request(message, role, record, now)
                .about(judgement.route().namespace())
                .measured(
                        context.counters().meter().judged(command, judgement, handshake.client()),
                        shards(judgement.route()));
        if (judgement.verdict().wouldRefuse()) {
            context.counters().wouldRefuse();
        }
        if (duplicate != null) {
            RequestPlan error = parseErrors.answerDuplicate(message, command, duplicate, request);
            return transactions.ending(transaction, command, error);
        }
        RequestPlan refusal = judgement.verdict().refused()
                ? refusals.plan(message.header(), command, judgement.aboutItsStatement(), request)
                : null;
        if (refusal != null) {
            context.counters().refused();
            return transactions.ending(transaction, command, refusal);
        }
        Consumer<BsonDocument> learner = role == Role.COMMAND ? learner(command, admission) : null;
        return forward(message, learner == null ? request : request.listening(learner));
    }

    /** How many shards work on a command that is sent to them; 0 where that is not known, or none does. */
    private static int shards(Route route) {
        return route.isPlaced() ? route.shards().union(route.contacted()).size() : 0;
    }

    /** The plan for a command that asks for a transaction which a refusal has ended. */
    private RequestPlan over(WireMessage message, CommandView command, TransactionId transaction, Role role) {
        Judgement judgement = context.judge().afterRefusal(command, handshake.release());
        PendingRecord record =
                context.auditor().begin(command, judgement.route(), null, judgement.verdict(), source(judgement));
        InFlightRequest request = request(message, role, record, receivedNanos)
                .measured(context.counters().meter().judged(command, judgement, handshake.client()), 0);
        return transactions.answer(message.header(), transaction, request);
    }

    private AuditSource source(Judgement judgement) {
        RoutingTable table = judgement.route().table();
        Namespace namespace = table == null ? null : table.collection().namespace();
        long confirmed =
                namespace == null ? 0 : context.catalog().live().current().lookedAtMillis(namespace);
        String owner = context.judge().owner(judgement, handshake.client());
        return new AuditSource(context.listener(), sessionId, handshake.client(), confirmed, owner);
    }

    /** What cannot be read is the client's fault, and the server will say so. */
    private boolean waits(CommandView command) {
        try {
            return metadata.begins(command);
        } catch (MalformedBsonException e) {
            return false;
        }
    }

    /** Reads and writes teach about access control, and others may change metadata. */
    private @Nullable Consumer<BsonDocument> learner(CommandView command, Admission admission) {
        Consumer<BsonDocument> learner = admission.learner(command);
        return learner != null ? learner : changes.follower(command);
    }

    private RequestPlan handshake(WireMessage message, CommandView command) {
        handshake.asked(command);
        BsonValueView speculative = command.get(Conversations.SPECULATIVE);
        InFlightRequest request;
        if (speculative != null && speculative.isDocument()) {
            requireAnswered(command);
            Consumer<BsonDocument> follower = conversations.speculative(speculative.document());
            request = request(message, Role.AUTHENTICATION, null, now()).listening(reply -> {
                answered(reply);
                follower.accept(reply);
            });
        } else {
            Role role = command.replyExpected() ? Role.HANDSHAKE : Role.UNANSWERED;
            request = request(message, role, null, now()).listening(this::answered);
        }
        request.hello();
        BsonView outer = message instanceof OpQuery query ? query.query() : command.body();
        ByteBuf rewritten = CompressionOffer.readable(
                context.allocator(),
                message.bytes(),
                outer,
                command.body(),
                context.compression(),
                message instanceof OpMsg);
        return rewritten != null ? new RequestPlan(request, rewritten) : forward(message, request);
    }

    private void answered(BsonDocument reply) {
        handshake.answered(reply);
        context.judge().learnt(handshake.release(), context.listener());
    }

    private RequestPlan authentication(WireMessage message, CommandView command) {
        requireAnswered(command);
        InFlightRequest request = request(message, Role.AUTHENTICATION, null, now());
        return forward(message, request.listening(conversations.follower(command)));
    }

    /** What follows a step of an authentication waits for its answer, so that there must be one. */
    private static void requireAnswered(CommandView command) {
        if (!command.replyExpected()) {
            throw new ProtocolException(command.name() + ": moreToCome (expected: a step that is answered)");
        }
    }

    /** The status command; one that awaits no reply is done with. */
    private RequestPlan status(WireMessage message, CommandView command, StatusReport report) {
        if (!command.replyExpected()) {
            return new RequestPlan(request(message, Role.UNANSWERED, null, now()), null);
        }
        BsonDocument status = StatusCommand.answer(command, report);
        return replies.plan(message.header(), request(message, Role.COMMAND, null, now()), status, ReplyFacts.REFUSED);
    }

    /** A message that is no command: legacy opcodes, and what nobody knows. */
    private RequestPlan opaque(WireMessage message) {
        OpCode opCode = message.header().opCode();
        Role role = roleOf(message);
        boolean refuses = !context.judge().isBypassed() && context.traits().refuses(opCode);
        if (role == Role.UNANSWERED && refuses) {
            throw new ClosingException(
                    CloseCause.OPCODE_REFUSED,
                    "opcode " + message.header().opCodeValue() + " (" + opCode + ") is configured to be refused");
        }
        InFlightRequest request = request(message, role, null, now());
        BsonDocument error =
                conversations.admission().mustAuthenticateFirst() ? null : LegacyRefusal.of(message, refuses);
        if (error == null) {
            return forward(message, request);
        }
        context.counters().refused();
        return replies.legacy(message.header(), request, error);
    }

    /** Our own question to the server that is open after a reply; null if there is none. */
    @Nullable RequestPlan question() {
        return conversations.question();
    }

    private long now() {
        return context.nanoTime().getAsLong();
    }

    private static InFlightRequest request(
            WireMessage message, Role role, @Nullable PendingRecord record, long receivedNanos) {
        boolean exhaust = message instanceof OpMsg msg && msg.exhaustAllowed();
        MessageHeader header = message.header();
        return new InFlightRequest(header.requestId(), header.messageLength(), role, record, receivedNanos)
                .allowingExhaust(exhaust);
    }

    private static RequestPlan forward(WireMessage message, InFlightRequest request) {
        return new RequestPlan(request, message.bytes().retain());
    }
}
