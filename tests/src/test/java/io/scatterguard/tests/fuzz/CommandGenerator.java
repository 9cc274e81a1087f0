package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Makes commands of every kind that is routed over the collections and views of an {@link ImportedCluster}. */
final class CommandGenerator {
    private static final List<String> NAMES =
            List.of("c", "c", "c", "c", "c", "d", "ts", "v", "w", "moved", "movedTs", "plain", "p", "absent");

    private static final List<String> READS = List.of(
            "{find: N, filter: F}",
            "{find: N, filter: F, limit: 1, sort: {a: 1}}",
            "{find: N, filter: F, collation: {locale: 'en', strength: 2}}",
            "{count: N, query: F}",
            "{distinct: N, key: 'x', query: F}",
            "{aggregate: N, pipeline: [{$match: F}], cursor: {}}",
            "{aggregate: N, pipeline: [{$match: F}, {$group: {_id: '$a'}}], cursor: {}}",
            "{aggregate: N, pipeline: [{$sort: {a: 1}}, {$match: F}], cursor: {}}",
            "{aggregate: N, pipeline: [{$project: {a: 1}}, {$match: F}, {$limit: 3}], cursor: {}}",
            "{aggregate: N, pipeline: [{$group: {_id: '$x', n: {$sum: 1}}}], cursor: {}}",
            "{aggregate: N, pipeline: [], cursor: {}}",
            "{aggregate: N, pipeline: [{$match: F}, {$lookup: {from: 'd', localField: 'x', foreignField: 'y', as: 'z'}}], cursor: {}}",
            "{aggregate: N, pipeline: [{$match: F}, {$unionWith: 'c'}], cursor: {}}",
            "{aggregate: N, pipeline: [{$match: F}, {$out: 'result'}], cursor: {}}",
            "{aggregate: N, pipeline: [{$match: F}, {$merge: {into: 'd'}}], cursor: {}}",
            "{explain: {find: N, filter: F}}");

    private static final List<String> WRITES = List.of(
            "{insert: N, documents: D}",
            "{insert: N, documents: D, ordered: false}",
            "{update: N, updates: [{q: F, u: {$set: {z: 1}}}]}",
            "{update: N, updates: [{q: F, u: {$set: {z: 1}}, multi: true}]}",
            "{update: N, updates: [{q: F, u: {$set: {z: 1}}, upsert: true}, {q: F, u: {$set: {a: 5}}}]}",
            "{update: N, updates: [{q: F, u: {a: 5, b: 6}}]}",
            "{update: N, updates: [{q: {_id: 7}, u: {$inc: {n: 1}}}]}",
            "{delete: N, deletes: [{q: F, limit: 1}]}",
            "{delete: N, deletes: [{q: F, limit: 0}, {q: {_id: 3}, limit: 1}]}",
            "{findAndModify: N, query: F, update: {$set: {z: 1}}}",
            "{findAndModify: N, query: F, remove: true}",
            "{findAndModify: N, query: F, update: {$set: {z: 1}}, upsert: true, new: true}");

    /** With times that a bucket may hold or not, and measurements of which it is not settled what their bucket is. */
    private static final List<String> OF_TIMES = List.of(
            "{find: 'ts', filter: {'a.b': {$gt: 3}, t: {$gte: {$date: '2026-01-02T00:00:00Z'}}}}",
            "{update: 'ts', updates: [{q: {'a.b': 5, t: {$lt: {$date: '2025-06-01T00:00:00Z'}}}, u: {$set: {a: 1}}, multi: true}]}",
            "{delete: 'ts', deletes: [{q: {'a.b': 5, t: {$lt: {$date: '2025-06-01T00:00:00Z'}}}, limit: 0}]}",
            "{delete: 'ts', deletes: [{q: {t: {$lt: {$date: '2025-06-01T00:00:00Z'}}}, limit: 0}]}",
            "{delete: 'ts', deletes: [{q: {'a.b': {$gt: 9}, t: {$gt: {$date: 5}, $lt: {$date: 4}}}, limit: 0}]}",
            "{insert: 'ts', documents: [{t: {$date: '1969-12-31T23:00:00Z'}, a: {b: 4}}]}",
            "{insert: 'ts', documents: [{t: {$date: '2026-03-01T00:00:00Z'}, a: {b: {z: 1, y: 1}}}]}");

    private static final List<String> OTHERS = List.of(
            "{aggregate: 1, pipeline: [{$currentOp: {}}], cursor: {}}",
            "{aggregate: N, pipeline: [{$changeStream: {}}], cursor: {}}",
            "{collStats: N}",
            "{createIndexes: N, indexes: [{key: {q: 1}, name: 'q', unique: true}]}",
            "{listIndexes: N}",
            "{listCollections: 1}",
            "{dbStats: 1}",
            "{drop: N}",
            "{ping: 1}");

    private final Dice dice;
    private final FilterGenerator filters;
    private final DocumentGenerator documents;

    CommandGenerator(Dice dice, FilterGenerator filters, DocumentGenerator documents) {
        this.dice = dice;
        this.filters = filters;
        this.documents = documents;
    }

    /** A command with its {@code $db}; a bulk write only where the release knows it. */
    BsonDocument command(boolean bulkWrites) {
        int roll = dice.below(100);
        if (roll < 8 && bulkWrites) {
            return bulkWrite();
        }
        List<String> kind = roll < 48 ? READS : roll < 90 ? WRITES : roll < 93 ? OF_TIMES : OTHERS;
        BsonDocument command =
                filled(BsonDocument.parse(quoted(dice.oneOf(kind)))).asDocument();
        return command.append("$db", new BsonString(dice.chance(96) ? "test" : "other"));
    }

    private static String quoted(String pattern) {
        return pattern.replace(": N", ": '<N>'").replace(": F", ": '<F>'").replace(": D", ": '<D>'");
    }

    private BsonDocument bulkWrite() {
        BsonArray operations = new BsonArray();
        for (int i = dice.between(1, 3); i > 0; i--) {
            String pattern = dice.pick(
                    "{insert: I, document: '<O>'}",
                    "{update: I, filter: F, updateMods: {$set: {z: 1}}, multi: false}",
                    "{update: I, filter: F, updateMods: {$set: {z: 1}}, multi: true}",
                    "{delete: I, filter: F, multi: false}",
                    "{delete: I, filter: F, multi: true}");
            String indexed = pattern.replace(": I", ": " + dice.below(2));
            operations.add(filled(BsonDocument.parse(quoted(indexed))));
        }
        BsonArray namespaces = new BsonArray();
        namespaces.add(new BsonDocument("ns", new BsonString("test." + dice.oneOf(NAMES))));
        namespaces.add(new BsonDocument("ns", new BsonString("test.other")));
        return new BsonDocument("bulkWrite", new BsonInt32(1))
                .append("ops", operations)
                .append("nsInfo", namespaces)
                .append("$db", new BsonString("admin"));
    }

    /** The pattern with a name, a filter or documents in each place that stands for them. */
    private BsonValue filled(BsonValue pattern) {
        if (pattern.isDocument()) {
            BsonDocument filled = new BsonDocument();
            pattern.asDocument().forEach((name, value) -> filled.append(name, filled(value)));
            return filled;
        }
        if (pattern.isArray()) {
            List<BsonValue> filled = new ArrayList<>();
            pattern.asArray().forEach(value -> filled.add(filled(value)));
            return new BsonArray(filled);
        }
        return switch (pattern.isString() ? pattern.asString().getValue() : "") {
            case "<N>" -> new BsonString(dice.oneOf(NAMES));
            case "<F>" -> dice.chance(8) ? new BsonDocument() : filters.filter();
            case "<D>" -> new BsonArray(documents.documents(filters.filter(), dice.between(1, 3)));
            case "<O>" -> documents.documents(filters.filter(), 1).get(0);
            default -> pattern;
        };
    }
}
