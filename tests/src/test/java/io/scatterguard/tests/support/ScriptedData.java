package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Collections in memory that answer what drivers do all day: CRUD, cursors in batches, {@code $match}/{@code $group}. What it
 * does not know is an exception, so that a test does not read too much. Thread-safe.
 */
final class ScriptedData {
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "create", "drop");
    private static final Set<String> READS =
            Set.of("find", "getMore", "killCursors", "aggregate", "count", "listCollections");

    private final Map<String, List<BsonDocument>> collections = new TreeMap<>();
    private final ScriptedCursors cursors;

    ScriptedData() {
        this(new ScriptedCursors());
    }

    private ScriptedData(ScriptedCursors cursors) {
        this.cursors = cursors;
    }

    /** The same documents, changed apart from each other; cursors are found in both. */
    synchronized ScriptedData copy() {
        ScriptedData copy = new ScriptedData(cursors);
        collections.forEach((namespace, documents) -> copy.collections.put(namespace, new ArrayList<>(documents)));
        return copy;
    }

    static boolean answers(String commandName) {
        return isWrite(commandName) || READS.contains(commandName);
    }

    static boolean isWrite(String commandName) {
        return WRITES.contains(commandName);
    }

    synchronized List<BsonDocument> documents(String namespace) {
        return List.copyOf(collections.getOrDefault(namespace, List.of()));
    }

    /** Carries out {@code command} with its document sequences in it, and returns the reply. */
    synchronized BsonDocument run(String database, BsonDocument command) {
        String name = command.getFirstKey();
        return switch (name) {
            case "getMore" -> cursors.next(command);
            case "killCursors" -> cursors.kill(command);
            case "listCollections" -> cursors.first(database + ".$cmd.listCollections", listed(database), command);
            case "aggregate" -> {
                String namespace =
                        database + "." + command.getString("aggregate").getValue();
                List<BsonDocument> found = ScriptedPipeline.run(command.getArray("pipeline"), documents(namespace));
                yield cursors.first(namespace, found, command.getDocument("cursor"));
            }
            default ->
                onCollection(name, database + "." + command.getString(name).getValue(), command);
        };
    }

    private BsonDocument onCollection(String name, String namespace, BsonDocument command) {
        List<BsonDocument> stored = WRITES.contains(name)
                ? collections.computeIfAbsent(namespace, key -> new ArrayList<>())
                : documents(namespace);
        return switch (name) {
            case "find" -> cursors.first(namespace, find(stored, command), command);
            case "count" ->
                n(find(stored, new BsonDocument("filter", command.getDocument("query", new BsonDocument())))
                        .size());
            case "insert" -> insert(stored, command.getArray("documents"));
            case "update" -> ScriptedUpdate.run(stored, command.getArray("updates"));
            case "delete" -> delete(stored, command.getArray("deletes"));
            case "create" -> ReplyDocuments.ok();
            case "drop" -> {
                collections.remove(namespace);
                yield ReplyDocuments.ok();
            }
            default -> throw new IllegalArgumentException("command: " + name);
        };
    }

    private List<BsonDocument> listed(String database) {
        return collections.keySet().stream()
                .filter(namespace -> namespace.startsWith(database + "."))
                .map(namespace -> new BsonDocument("name", new BsonString(namespace.substring(database.length() + 1)))
                        .append("type", new BsonString("collection"))
                        .append("options", new BsonDocument())
                        .append("info", new BsonDocument("readOnly", BsonBoolean.FALSE)))
                .toList();
    }

    private static List<BsonDocument> find(List<BsonDocument> stored, BsonDocument command) {
        BsonDocument filter = command.getDocument("filter", new BsonDocument());
        long skip = command.getNumber("skip", new BsonInt32(0)).longValue();
        long limit = Math.abs(command.getNumber("limit", new BsonInt32(0)).longValue());
        return sorted(stored, command.getDocument("sort", new BsonDocument())).stream()
                .filter(document -> CatalogFilter.matches(filter, document))
                .skip(skip)
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .toList();
    }

    static List<BsonDocument> sorted(List<BsonDocument> documents, BsonDocument sort) {
        List<BsonDocument> sorted = new ArrayList<>(documents);
        List<String> fields = new ArrayList<>(sort.keySet());
        for (int i = fields.size() - 1; i >= 0; i--) { // Sorting is stable: the first field goes last.
            String field = fields.get(i);
            Comparator<BsonDocument> order = (one, other) -> CatalogFilter.compare(one.get(field), other.get(field));
            sorted.sort(sort.getNumber(field).intValue() < 0 ? order.reversed() : order);
        }
        return sorted;
    }

    private static BsonDocument insert(List<BsonDocument> stored, BsonArray documents) {
        int inserted = 0;
        for (BsonValue value : documents) {
            BsonDocument document = new BsonDocument();
            if (!value.asDocument().containsKey("_id")) {
                document.append("_id", new BsonObjectId());
            }
            document.putAll(value.asDocument());
            if (stored.stream().anyMatch(other -> other.get("_id").equals(document.get("_id")))) {
                return n(inserted).append("writeErrors", new BsonArray(List.of(duplicate(inserted))));
            }
            stored.add(document);
            inserted++;
        }
        return n(inserted);
    }

    private static BsonDocument duplicate(int index) {
        return new BsonDocument("index", new BsonInt32(index))
                .append("code", new BsonInt32(11000))
                .append("errmsg", new BsonString("E11000 duplicate key error"))
                .append("keyPattern", new BsonDocument("_id", new BsonInt32(1)));
    }

    private static BsonDocument delete(List<BsonDocument> stored, BsonArray deletes) {
        int deleted = 0;
        for (BsonValue value : deletes) {
            BsonDocument filter = value.asDocument().getDocument("q");
            boolean one = value.asDocument().getNumber("limit").intValue() == 1;
            List<BsonDocument> found = stored.stream()
                    .filter(document -> CatalogFilter.matches(filter, document))
                    .limit(one ? 1 : Long.MAX_VALUE)
                    .toList();
            found.forEach(document -> stored.removeIf(other -> other.equals(document)));
            deleted += found.size();
        }
        return n(deleted);
    }

    static BsonDocument n(int n) {
        return new BsonDocument("n", new BsonInt32(n)).append("ok", new BsonDouble(1));
    }
}
