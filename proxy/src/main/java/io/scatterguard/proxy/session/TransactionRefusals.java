package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.session.InFlightRequest.Role;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * What a refusal does to a multi-document transaction: it ends it, as an error of the server would. The server is told by an
 * {@code abortTransaction} of our own on the same connection, whose reply comes before the refusal; what asks for the
 * transaction afterwards is answered here. The label on which drivers repeat a transaction is never given: it would be
 * refused again.
 */
final class TransactionRefusals {
    /** Of our own {@code abortTransaction}. Replies come in order, so that it cannot be mistaken for a client's. */
    static final int ABORT_REQUEST_ID = Integer.MIN_VALUE + 1;

    static final int NO_SUCH_TRANSACTION = 251;

    private static final MessageHeader ANSWERS_NOTHING = new MessageHeader(0, 0, 0, OpCode.OP_MSG.value());

    /** Fields that every statement of a transaction must have alike, and the abort with them. */
    private static final List<String> ALIKE =
            List.of("lsid", "txnNumber", "apiVersion", "apiStrict", "apiDeprecationErrors");

    private final SessionContext context;
    private final OwnReplies replies;

    TransactionRefusals(SessionContext context, OwnReplies replies) {
        this.context = context;
        this.replies = replies;
    }

    /**
     * Whether {@code command}, which is borrowed, asks for a transaction that a refusal has ended. One that begins the next
     * transaction of its session lets the earlier be forgotten.
     */
    boolean isOver(CommandView command, TransactionId transaction) {
        boolean over = context.transactions().isOver(transaction);
        if (!over && TransactionId.isBegunBy(command)) {
            context.transactions().begun(transaction);
        }
        return over;
    }

    /** The plan that answers a command for which {@link #isOver} holds. */
    RequestPlan answer(MessageHeader header, TransactionId transaction, InFlightRequest request) {
        context.counters().refused();
        if (request.role() == Role.UNANSWERED) {
            return new RequestPlan(request, null);
        }
        String errmsg = "Transaction " + transaction.number()
                + " has been aborted, because Scatterguard refused a statement of it.";
        BsonDocument error = OwnReplies.error(NO_SUCH_TRANSACTION, "NoSuchTransaction", errmsg)
                .append("errorLabels", new BsonArray(List.of(new BsonString(Refusal.LABEL))));
        return replies.failed(header, request, error);
    }

    /**
     * {@code plan}, which refuses {@code command} (borrowed), with what has to be done besides because the command belongs to
     * {@code transaction}: nothing where that is null.
     */
    RequestPlan ending(@Nullable TransactionId transaction, CommandView command, RequestPlan plan) {
        if (transaction == null) {
            return plan;
        }
        try {
            RequestPlan ending = TransactionId.isBegunBy(command) ? plan : behindAbort(command, plan);
            context.transactions().remember(transaction);
            return ending;
        } catch (MalformedBsonException e) {
            // No server has taken a statement of such a transaction.
            return plan;
        } catch (RuntimeException | Error e) {
            plan.request().release();
            throw e;
        }
    }

    private RequestPlan behindAbort(CommandView command, RequestPlan plan) {
        ByteBuf bytes = ErrorReply.encode(context.allocator(), ANSWERS_NOTHING, ABORT_REQUEST_ID, abortOf(command));
        long now = context.nanoTime().getAsLong();
        InFlightRequest request =
                new InFlightRequest(ABORT_REQUEST_ID, bytes.readableBytes(), Role.COMMAND, null, now).ours();
        plan.request().holdingBack();
        return new RequestPlan(plan.request(), plan.forwarded(), new RequestPlan(request, bytes));
    }

    private static BsonDocument abortOf(CommandView command) {
        BsonDocument abort = new BsonDocument("abortTransaction", new BsonInt32(1));
        for (String field : ALIKE) {
            BsonValueView value = command.get(field);
            if (value != null && value.length() <= TransactionId.MAX_LSID_BYTES) {
                abort.append(field, value.toBsonValue());
            }
        }
        return abort.append("autocommit", BsonBoolean.FALSE).append("$db", new BsonString("admin"));
    }
}
