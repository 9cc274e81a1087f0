package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.bson.StringCache;
import io.scatterguard.protocol.codec.CompressionOffer;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.MalformedOpMsg;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.session.Authentication.Identity;
import io.scatterguard.proxy.session.InFlightRequest.Role;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides what is to be done with each request of a session: forward it as it came, or answer it ourselves. */
final class RequestPlanner {
    private static final String SPECULATIVE = "speculativeAuthenticate";

    private final long sessionId;
    private final SessionContext context;
    private final Handshake handshake;
    private final Authentication authentication = new Authentication();
    private final StringCache names = new StringCache();
    private final CompressedRequest compressed;
    private final ParseErrors parseErrors;
    private int nextRequestId;

    RequestPlanner(long sessionId, SessionContext context, Handshake handshake) {
        this.sessionId = sessionId;
        this.context = context;
        this.handshake = handshake;
        this.compressed = new CompressedRequest(context);
        this.parseErrors = new ParseErrors(context);
    }

    /**
     * The plan for {@code message}, which is borrowed. A fault of our own gives a plan that forwards it.
     *
     * @throws ProtocolException or {@link MalformedBsonException} if the message breaks the protocol
     */
    RequestPlan plan(WireMessage message) {
        context.counters().request(message.header().opCode());
        return message instanceof OpCompressed compressed
                ? this.compressed.plan(compressed, handshake.maxMessageBytes(), this::planUncompressed)
                : planUncompressed(message);
    }

    private RequestPlan planUncompressed(WireMessage message) {
        try {
            return planned(message);
        } catch (ProtocolException | MalformedBsonException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            context.counters().internalError();
            context.judge().failed(e, message.header().opCode().name());
            boolean unanswered = message instanceof OpMsg msg && msg.moreToCome();
            Role role = unanswered ? Role.UNANSWERED : roleOf(message.header().opCode());
            return forward(message, request(message, role, null, now()));
        }
    }

    private RequestPlan planned(WireMessage message) {
        if (message instanceof MalformedOpMsg malformed) {
            return malformed(malformed);
        }
        CommandView command = commandOf(message);
        if (command == null) {
            return forward(message, request(message, roleOf(message.header().opCode()), null, now()));
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
        if (context.judge().isBypassed() || mustAuthenticateFirst()) {
            return forward(message, request);
        }
        return parseErrors.answer(message, request, ++nextRequestId);
    }

    private @Nullable CommandView commandOf(WireMessage message) {
        if (message instanceof OpMsg msg) {
            return CommandView.of(msg, names);
        }
        return message instanceof OpQuery query && query.isCommand() ? CommandView.of(query) : null;
    }

    /** For a message that is not a command we read. No server answers an opcode it does not know: it closes. */
    private static Role roleOf(OpCode opCode) {
        return switch (opCode) {
            case OP_QUERY, OP_GET_MORE, OP_MSG -> Role.COMMAND;
            case OP_UPDATE, OP_INSERT, OP_DELETE, OP_KILL_CURSORS, OP_REPLY, OP_COMPRESSED, UNKNOWN -> Role.UNANSWERED;
        };
    }

    private RequestPlan judged(WireMessage message, CommandView command) {
        long now = now();
        Role role = command.replyExpected() ? Role.COMMAND : Role.UNANSWERED;
        if (context.judge().isBypassed()) {
            return forward(message, request(message, role, null, now));
        }
        Judgement judgement =
                context.judge().judge(command, handshake.client(), handshake.release(), context.counters());
        if (judgement.verdict().refused() && mustAuthenticateFirst()) {
            judgement = judgement.forwarded(Reasons.UNAUTHENTICATED);
        }
        String duplicate = mustAuthenticateFirst() ? null : parseErrors.duplicateField(command, judgement);
        if (duplicate != null) {
            judgement = judgement.malformed();
        }
        AuditSource source = new AuditSource(context.listener(), sessionId, handshake.client());
        PendingRecord record = context.auditor().begin(command, judgement.route(), judgement.verdict(), source);
        InFlightRequest request = request(message, role, record, now);
        if (judgement.verdict().wouldRefuse()) {
            context.counters().wouldRefuse();
        }
        if (duplicate != null) {
            return parseErrors.answerDuplicate(message, command, duplicate, request, ++nextRequestId);
        }
        if (!judgement.verdict().refused() || role == Role.UNANSWERED) {
            return forward(message, request);
        }
        context.counters().refused();
        Judgement refused = judgement.aboutItsStatement();
        BsonDocument refusal = Refusal.document(command, refused, notes(command, refused.route()));
        ByteBuf reply = ErrorReply.encode(context.allocator(), message.header(), ++nextRequestId, refusal);
        return new RequestPlan(request.answeredBy(reply), null);
    }

    /** The notes on the worst statement. A refusal without them is better than none. */
    private List<Note> notes(CommandView command, Route route) {
        try {
            return Notes.of(command, route).stream()
                    .filter(note -> note.statement() == route.worstIndex())
                    .toList();
        } catch (MalformedBsonException e) {
            return List.of();
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            context.counters().internalError();
            context.judge().failed(e, command.commandName().text());
            return List.of();
        }
    }

    private boolean mustAuthenticateFirst() {
        return context.server().authenticates() && !authentication.isAuthenticated();
    }

    private RequestPlan handshake(WireMessage message, CommandView command) {
        handshake.asked(command);
        BsonValueView speculative = command.get(SPECULATIVE);
        InFlightRequest request;
        if (speculative != null && speculative.isDocument()) {
            BsonView start = speculative.document();
            Identity claimed = Authentication.claimed(start, text(start.get("db")));
            request = request(message, Role.AUTHENTICATION, null, now())
                    .listening(reply -> speculativelyAnswered(claimed, reply));
        } else {
            Role role = command.replyExpected() ? Role.HANDSHAKE : Role.UNANSWERED;
            request = request(message, role, null, now()).listening(this::answered);
        }
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

    /** A server that did not try the speculative conversation says nothing of it: an earlier one goes on. */
    private void speculativelyAnswered(Identity claimed, BsonDocument reply) {
        answered(reply);
        BsonValue answer = reply.get(SPECULATIVE);
        if (answer != null && answer.isDocument()) {
            BsonDocument step = answer.asDocument().clone();
            authentication.startAnswered(claimed, step.append("ok", reply.get("ok")));
            handshake.user(authentication.user());
        }
    }

    private RequestPlan authentication(WireMessage message, CommandView command) {
        if (!command.replyExpected()) {
            throw new ProtocolException(command.name() + ": moreToCome (expected: a step that is answered)");
        }
        InFlightRequest request = request(message, Role.AUTHENTICATION, null, now());
        Consumer<BsonDocument> follow = follow(command);
        request.listening(reply -> {
            follow.accept(reply);
            handshake.user(authentication.user());
        });
        return forward(message, request);
    }

    private Consumer<BsonDocument> follow(CommandView command) {
        String database = command.database();
        if (command.commandName() == CommandName.SASL_START) {
            Identity claimed = Authentication.claimed(command.body(), database);
            return reply -> authentication.startAnswered(claimed, reply);
        } else if (command.commandName() == CommandName.LOGOUT) {
            return reply -> authentication.logoutAnswered(database, reply);
        } else if (command.commandName() == CommandName.AUTHENTICATE) {
            return authentication::certificateAnswered;
        }
        return command.commandName() == CommandName.SASL_CONTINUE ? authentication::stepAnswered : reply -> {};
    }

    private static String text(@Nullable BsonValueView value) {
        return value != null && value.isString() ? value.string() : "";
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
