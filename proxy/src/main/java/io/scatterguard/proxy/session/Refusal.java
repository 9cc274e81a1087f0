package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The error document that a refused command is answered with: an error of ours, or where a cluster sharded by the declared
 * keys would refuse it, that cluster's.
 */
final class Refusal {
    /** The error code of a refusal that is ours; outside every range the server uses. */
    static final int CODE = 61001;

    static final String CODE_NAME = "ScatterGatherRefused";
    /** Not a label any driver retries on. */
    static final String LABEL = "ScatterguardRefused";

    private Refusal() {}

    /**
     * The reply to {@code command}, which is borrowed.
     *
     * @param judgement its route is about the statement that is refused
     * @param notes those on that statement
     */
    static BsonDocument document(CommandView command, Judgement judgement, List<Note> notes, RefusalTerms terms) {
        WouldFail failure = judgement.failure();
        int code = failure == null ? CODE : failure.error().code();
        String codeName = failure == null ? CODE_NAME : failure.error().codeName();
        BsonDocument refusal = new BsonDocument("ok", new BsonDouble(0))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString(codeName))
                .append("errmsg", new BsonString(RefusalText.of(command, judgement, notes, terms)))
                .append("errorLabels", new BsonArray(List.of(new BsonString(LABEL))));
        switch (terms.detail()) {
            case FULL -> refusal.append("scatterguard", RefusalDetails.all(command, judgement, notes, terms));
            case NAMES_ONLY -> refusal.append("scatterguard", RefusalDetails.names(judgement));
            case CODE_ONLY -> {}
        }
        return refusal;
    }
}
