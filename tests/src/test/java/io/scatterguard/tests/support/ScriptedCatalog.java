package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Answers {@code find}, {@code aggregate} and {@code getMore} on the {@code config} database from fixed documents: simple
 * filters, a sort, batches of the asked size; a projection is ignored. On every database it lists the views. What it does not know is an exception, so that a test
 * does not read too much.
 */
final class ScriptedCatalog {
    private static final int DEFAULT_BATCH_SIZE = 101;

    private final CatalogDocuments documents;
    private final Map<Long, List<BsonDocument>> cursors = new ConcurrentHashMap<>();
    private final AtomicLong cursorIds = new AtomicLong(1L << 40);

    ScriptedCatalog(CatalogDocuments documents) {
        this.documents = documents;
    }

    boolean answers(WireFrame request) {
        return isListOfViews(request)
                || (request.database().equals("config")
                        && List.of("find", "aggregate", "getMore").contains(request.commandName()));
    }

    /** Whether it is what a reader of the cluster's metadata asks, and no application. */
    static boolean isOfMetadata(WireFrame request) {
        return request.database().equals("config") || isListOfViews(request);
    }

    private static boolean isListOfViews(WireFrame request) {
        return request.commandName().equals("listCollections")
                && BsonDocument.parse("{type: 'view'}").equals(request.command().get("filter"));
    }

    Reply reply(WireFrame request) {
        BsonDocument command = request.command();
        return switch (request.commandName()) {
            case "find" ->
                firstBatch(command.getString("find").getValue(), find(command), batchSize(command, DEFAULT_BATCH_SIZE));
            case "aggregate" ->
                firstBatch(
                        command.getString("aggregate").getValue(),
                        aggregate(command),
                        batchSize(command.getDocument("cursor"), DEFAULT_BATCH_SIZE));
            case "listCollections" -> views(request.database(), command);
            default -> nextBatch(command);
        };
    }

    /** In one batch: tests have few. */
    private Reply views(String database, BsonDocument command) {
        List<BsonDocument> found = documents.views().stream()
                .filter(view -> view.getString("_id").getValue().startsWith(database + "."))
                .map(view -> listed(database, view))
                .filter(listed -> CatalogFilter.matches(command.getDocument("filter", new BsonDocument()), listed))
                .toList();
        return Reply.document(ReplyDocuments.cursor(database + ".$cmd.listCollections", 0, "firstBatch", found));
    }

    private static BsonDocument listed(String database, BsonDocument view) {
        BsonDocument options = view.clone();
        String name = options.remove("_id").asString().getValue().substring(database.length() + 1);
        return new BsonDocument("name", new BsonString(name))
                .append("type", new BsonString("view"))
                .append("options", options)
                .append("info", new BsonDocument("readOnly", BsonBoolean.TRUE));
    }

    private List<BsonDocument> find(BsonDocument command) {
        List<BsonDocument> found = matching(
                documents.named(command.getString("find").getValue()),
                command.getDocument("filter", new BsonDocument()));
        found = sorted(found, command.getDocument("sort", new BsonDocument()));
        int limit = Math.abs(command.getNumber("limit", new BsonInt32(0)).intValue());
        return limit == 0 ? found : found.subList(0, Math.min(limit, found.size()));
    }

    private List<BsonDocument> aggregate(BsonDocument command) {
        List<BsonDocument> found =
                documents.named(command.getString("aggregate").getValue());
        for (BsonValue value : command.getArray("pipeline")) {
            String stage = value.asDocument().getFirstKey();
            BsonValue argument = value.asDocument().get(stage);
            found = switch (stage) {
                case "$match" -> matching(found, argument.asDocument());
                case "$sort" -> sorted(found, argument.asDocument());
                case "$project" -> found;
                case "$limit" -> found.subList(0, Math.min(argument.asNumber().intValue(), found.size()));
                default ->
                    throw new IllegalArgumentException(
                            "pipeline stage: " + stage + " (expected: $match, $sort, $project or $limit)");
            };
        }
        return found;
    }

    private static List<BsonDocument> matching(List<BsonDocument> documents, BsonDocument filter) {
        return documents.stream()
                .filter(document -> CatalogFilter.matches(filter, document))
                .toList();
    }

    private static List<BsonDocument> sorted(List<BsonDocument> documents, BsonDocument sort) {
        List<BsonDocument> sorted = new ArrayList<>(documents);
        List<String> fields = new ArrayList<>(sort.keySet());
        for (int i = fields.size() - 1; i >= 0; i--) { // Sorting is stable: the first field goes last.
            String field = fields.get(i);
            Comparator<BsonDocument> order = (one, other) -> CatalogFilter.compare(one.get(field), other.get(field));
            sorted.sort(sort.getNumber(field).intValue() < 0 ? order.reversed() : order);
        }
        return sorted;
    }

    private Reply firstBatch(String collection, List<BsonDocument> found, int batchSize) {
        return batch(collection, "firstBatch", found, batchSize);
    }

    private Reply nextBatch(BsonDocument command) {
        long id = command.getNumber("getMore").longValue();
        List<BsonDocument> rest = cursors.remove(id);
        if (rest == null) {
            return Reply.error(43, "CursorNotFound", "cursor id " + id + " not found");
        }
        String collection = command.getString("collection").getValue();
        return batch(collection, "nextBatch", rest, batchSize(command, Integer.MAX_VALUE));
    }

    private Reply batch(String collection, String batchName, List<BsonDocument> left, int batchSize) {
        int size = Math.min(batchSize, left.size());
        long cursorId = 0;
        if (size < left.size()) {
            cursorId = cursorIds.incrementAndGet();
            cursors.put(cursorId, left.subList(size, left.size()));
        }
        return Reply.document(
                ReplyDocuments.cursor("config." + collection, cursorId, batchName, left.subList(0, size)));
    }

    private static int batchSize(BsonDocument options, int unset) {
        BsonNumber size = options.getNumber("batchSize", new BsonInt32(unset));
        return size.intValue();
    }
}
