package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.session.Authentication.Identity;
import io.scatterguard.proxy.session.InFlightRequest.Role;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the authentication commands of one connection and tells {@link Authentication} what their replies say. Where that
 * leaves the user unknown and it is configured so, asks the server who it is.
 */
final class Conversations {
    static final String SPECULATIVE = "speculativeAuthenticate";

    private final SessionContext context;
    private final Handshake handshake;
    private final Authentication authentication = new Authentication();
    private final Admission admission;
    private boolean mayAsk;

    Conversations(SessionContext context, Handshake handshake) {
        this.context = context;
        this.handshake = handshake;
        this.admission = new Admission(context.server().accessControl(), authentication, context.listener());
    }

    Admission admission() {
        return admission;
    }

    /** The user that authenticated last, as far as it is known; null while there is none. */
    @Nullable Identity user() {
        return authentication.user();
    }

    /** Who has to see the reply to {@code command}, a step of an authentication, which is borrowed. */
    Consumer<BsonDocument> follower(CommandView command) {
        Consumer<BsonDocument> follow = follow(command);
        return reply -> {
            follow.accept(reply);
            answered();
        };
    }

    private Consumer<BsonDocument> follow(CommandView command) {
        String database = command.database();
        if (command.commandName() == CommandName.SASL_START) {
            Identity claimed = Authentication.claimed(command.body(), database);
            return reply -> authentication.startAnswered(claimed, reply);
        } else if (command.commandName() == CommandName.LOGOUT) {
            return reply -> authentication.logoutAnswered(database, reply);
        } else if (command.commandName() == CommandName.AUTHENTICATE) {
            boolean certificate = isCertificate(command.body());
            return reply -> certificateAnswered(certificate, reply);
        }
        return command.commandName() == CommandName.SASL_CONTINUE ? authentication::stepAnswered : reply -> {};
    }

    private static boolean isCertificate(BsonView start) {
        BsonValueView mechanism = start.get("mechanism");
        return mechanism != null && mechanism.stringEquals("MONGODB-X509");
    }

    private void certificateAnswered(boolean certificate, BsonDocument reply) {
        authentication.authenticateAnswered(reply);
        if (certificate) {
            context.server().certificateNotice().answered(ReplyFacts.isOk(reply), context.listener());
        }
    }

    /** Who has to see the reply to a handshake that carries {@code start}, the first step of an authentication; borrowed. */
    Consumer<BsonDocument> speculative(BsonView start) {
        BsonValueView database = start.get("db");
        Identity claimed =
                Authentication.claimed(start, database != null && database.isString() ? database.string() : "");
        boolean certificate = isCertificate(start);
        return reply -> {
            BsonValue answer = reply.get(SPECULATIVE);
            // A server that did not try the speculative conversation says nothing of it: an earlier one goes on.
            if (answer != null && answer.isDocument()) {
                BsonDocument step = answer.asDocument().clone();
                step.append("ok", reply.get("ok"));
                if (certificate) {
                    certificateAnswered(true, step);
                } else {
                    authentication.startAnswered(claimed, step);
                }
                answered();
            }
        };
    }

    private void answered() {
        handshake.user(authentication.user());
        admission.stepAnswered();
        mayAsk = true;
    }

    /**
     * Our own question who has authenticated; null unless the last step of an authentication leaves that open. Returns
     * owned bytes in the plan.
     */
    @Nullable RequestPlan question() {
        boolean open = mayAsk && authentication.isUnnamed() && context.server().asksIdentity();
        mayAsk = false;
        if (!open) {
            return null;
        }
        ByteBuf question = IdentityQuestion.encode(context.allocator());
        InFlightRequest request = new InFlightRequest(
                        IdentityQuestion.REQUEST_ID,
                        question.readableBytes(),
                        Role.AUTHENTICATION,
                        null,
                        context.nanoTime().getAsLong())
                .ours()
                .listening(reply -> {
                    authentication.identified(IdentityQuestion.answer(reply));
                    handshake.user(authentication.user());
                });
        return new RequestPlan(request, question);
    }
}
