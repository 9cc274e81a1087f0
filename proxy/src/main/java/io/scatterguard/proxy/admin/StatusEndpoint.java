package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.session.StatusReport;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** {@code /api/v1/status}: what the status command says, for all listeners together. */
public final class StatusEndpoint implements Endpoint {
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    /** The fields that differ by listener. */
    private static final List<String> OF_LISTENER = List.of("listener", "mode", "bypassed");

    private final List<StatusReport> listeners;

    /** {@code listeners}: a report of each, read when asked; it may grow while the proxy starts. */
    public StatusEndpoint(List<StatusReport> listeners) {
        this.listeners = listeners;
    }

    @Override
    public String path() {
        return "/api/v1/status";
    }

    @Override
    public Answer answer(Question question) {
        BsonDocument status = new BsonDocument();
        BsonArray each = new BsonArray();
        for (StatusReport listener : listeners) {
            BsonDocument report = listener.document();
            BsonDocument own = new BsonDocument();
            for (String field : OF_LISTENER) {
                BsonValue value = report.remove(field);
                if (value != null) {
                    own.append(field, value);
                }
            }
            each.add(own);
            status = report;
        }
        status.append("listeners", each);
        return new Answer(Answer.OK, Answer.JSON, status.toJson(RELAXED));
    }
}
