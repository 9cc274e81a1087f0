package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.codec.FieldRemoval;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides what is to be done with each request of a session: forward it as it came, or answer it ourselves. */
final class RequestPlanner {
    /** Compressors are taken out of the handshake, so that nothing that follows is opaque to us. */
    private static final String COMPRESSION = "compression";

    private final long sessionId;
    private final SessionContext context;
    private final Handshake handshake;
    private final Authentication authentication = new Authentication();
    private int nextRequestId;

    RequestPlanner(long sessionId, SessionContext context, Handshake handshake) {
        this.sessionId = sessionId;
        this.context = context;
        this.handshake = handshake;
    }

    /**
     * The plan for {@code message}, which is borrowed. A fault of our own gives a plan that forwards it.
     *
     * @throws ProtocolException or {@link MalformedBsonException} if the message breaks the protocol
     */
    RequestPlan plan(WireMessage message) {
        context.counters().request(message.header().opCode());
        try {
            return planned(message);
        } catch (ProtocolException | MalformedBsonException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            context.counters().internalError();
            context.judge().failed(e, message.header().opCode().name());
            boolean unanswered = message instanceof OpMsg msg && msg.moreToCome();
            ReplyExpectation expectation = unanswered
                    ? ReplyExpectation.NONE
                    : ReplyExpectation.of(message.header().opCode());
            return forward(
                    message,
                    request(message, expectation, null, context.nanoTime().getAsLong()));
        }
    }

    private RequestPlan planned(WireMessage message) {
        long now = context.nanoTime().getAsLong();
        CommandView command = commandOf(message);
        if (command == null) {
            ReplyExpectation expectation = ReplyExpectation.of(message.header().opCode());
            return forward(message, request(message, expectation, null, now));
        }
        ReplyExpectation expectation = command.replyExpected() ? ReplyExpectation.ONE : ReplyExpectation.NONE;
        return switch (command.commandName().kind()) {
            case HANDSHAKE -> handshake(message, command, request(message, expectation, null, now));
            case AUTHENTICATION -> authentication(message, command, request(message, expectation, null, now));
            default ->
                context.judge().isBypassed()
                        ? forward(message, request(message, expectation, null, now))
                        : judged(message, command, expectation, now);
        };
    }

    private static @Nullable CommandView commandOf(WireMessage message) {
        if (message instanceof OpMsg msg) {
            return CommandView.of(msg);
        }
        return message instanceof OpQuery query && query.isCommand() ? CommandView.of(query) : null;
    }

    private RequestPlan judged(WireMessage message, CommandView command, ReplyExpectation expectation, long now) {
        Judgement judgement =
                context.judge().judge(command, handshake.client(), handshake.release(), context.counters());
        AuditSource source = new AuditSource(context.listener(), sessionId, handshake.client());
        PendingRecord record = context.auditor().begin(command, judgement.route(), judgement.verdict(), source);
        InFlightRequest request = request(message, expectation, record, now);
        if (judgement.verdict().wouldRefuse()) {
            context.counters().wouldRefuse();
        }
        if (!judgement.verdict().refused() || expectation == ReplyExpectation.NONE) {
            return forward(message, request);
        }
        BsonDocument refusal = Refusal.document(command, judgement);
        ByteBuf reply = ErrorReply.encode(context.allocator(), message.header(), ++nextRequestId, refusal);
        return new RequestPlan(request.answeredBy(reply), null);
    }

    private RequestPlan handshake(WireMessage message, CommandView command, InFlightRequest request) {
        handshake.asked(command);
        BsonValueView speculative = command.get("speculativeAuthenticate");
        if (speculative != null && speculative.isDocument()) {
            authentication.started(speculative.document());
        }
        request.listening(this::helloAnswered);
        BsonView outer = message instanceof OpQuery query ? query.query() : command.body();
        ByteBuf rewritten = FieldRemoval.without(
                context.allocator(), message.bytes(), outer, command.body(), COMPRESSION, message instanceof OpMsg);
        return rewritten != null ? new RequestPlan(request, rewritten) : forward(message, request);
    }

    private void helloAnswered(BsonDocument reply) {
        handshake.answered(reply);
        BsonValue speculative = reply.get("speculativeAuthenticate");
        if (speculative != null && speculative.isDocument()) {
            BsonDocument answer = speculative.asDocument().clone();
            authenticationAnswered(answer.append("ok", reply.get("ok")));
        }
    }

    private RequestPlan authentication(WireMessage message, CommandView command, InFlightRequest request) {
        if (command.commandName() == CommandName.SASL_START) {
            authentication.started(command.body());
        }
        if (command.commandName() == CommandName.LOGOUT) {
            authentication.loggedOut();
            handshake.user(null);
        } else {
            request.listening(this::authenticationAnswered);
        }
        return forward(message, request);
    }

    private void authenticationAnswered(BsonDocument reply) {
        authentication.answered(reply);
        handshake.user(authentication.user());
    }

    private static InFlightRequest request(
            WireMessage message, ReplyExpectation expectation, @Nullable PendingRecord record, long now) {
        return new InFlightRequest(
                message.header().requestId(), message.header().messageLength(), expectation, record, now);
    }

    private static RequestPlan forward(WireMessage message, InFlightRequest request) {
        return new RequestPlan(request, message.bytes().retain());
    }
}
