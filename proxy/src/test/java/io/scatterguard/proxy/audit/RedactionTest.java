package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** Plants a secret of its own in every place of a command where an application may put data, and looks for it in the log. */
class RedactionTest {
    /** {@code @@} is a secret string, {@code ##} a secret number, {@code %%} a secret of 24 hexadecimal digits. */
    private static final List<String> COMMANDS = List.of(
            "{find: 'c', filter: {a: '@@', b: ##, c: {$oid: '%%'}, d: {$date: {$numberLong: '##'}}}}",
            "{find: 'c', filter: {a: {b: {c: '@@'}}, d: ['@@', '@@'], e: {x: [{y: '@@'}]}}}",
            "{find: 'c', filter: {a: {$in: ['@@', '@@']}, b: {$nin: ['@@']}, c: {$all: ['@@']}, d: {$ne: '@@'}}}",
            "{find: 'c', filter: {$or: [{a: '@@'}, {$and: [{b: '@@'}, {$nor: [{c: '@@'}]}]}]}}",
            "{find: 'c', filter: {a: {$not: {$eq: '@@'}}, b: {$elemMatch: {c: '@@', d: {$gte: '@@'}}}}}",
            "{find: 'c', filter: {a: {$regularExpression: {pattern: '^@@', options: 'i'}}, b: {$regex: '@@', $options: 'i'}}}",
            "{find: 'c', filter: {a: {$in: [{$regularExpression: {pattern: '@@', options: ''}}]}}}",
            "{find: 'c', filter: {$expr: {$eq: ['$a', '@@']}, $where: 'this.a == @@', $comment: '@@'}}",
            "{find: 'c', filter: {$expr: {$in: ['$a', ['@@', '@@']]}, $text: {$search: '@@'}}}",
            "{find: 'c', filter: {$expr: {$eq: ['$a', {$literal: '$@@'}]}, b: '$@@', c: {$eq: '$@@'}}}",
            "{find: 'c', filter: {$expr: {$eq: ['$a', {$const: '$@@'}]}}, projection: {p: {$const: '$@@'}, m: {$meta: '$@@'}}}",
            "{find: 'c', filter: {a: {$in: ['$@@', '$$@@']}, b: {$not: {$eq: '$@@'}}, c: ['$@@'], d: {e: '$@@'}}, sort: {a: '$@@'}}",
            "{find: 'c', filter: {a: {$all: ['$@@']}, b: {$elemMatch: {c: '$@@'}}}, hint: '$@@', let: {v: '$@@'}, min: {a: '$@@'}}",
            "{find: 'c', filter: {$jsonSchema: {properties: {a: {enum: ['@@'], const: '@@'}}}}}",
            "{find: 'c', filter: {a: {$geoWithin: {$geometry: {type: '@@', coordinates: [##, ##]}}}, b: {$mod: [##, 1]}}}",
            "{find: 'c', filter: {a: {$ref: '@@', $id: '@@', $db: '@@'}, b: {$binary: {base64: 'c2VjcmV0', subType: '00'}}}}",
            "{find: 'c', filter: {'@@@example.com': 1, 'map.@@@example.com.x': 1, '%%': 1, 'm.%%.n': 1, '##': 1}}",
            "{find: 'c', filter: {'+49 @@': 1, 'https://@@/': 1, '@@ and more': {$gt: 1}}}",
            "{find: 'c', filter: {a: {$comment: '@@', $gt: '@@'}, b: {$elemMatch: {$comment: '@@', c: 1}}}}",
            "{find: 'c', sort: {a: '@@', b: {$meta: '@@'}, '@@@example.com': 1}, hint: '@@'}",
            "{find: 'c', hint: {a: '@@', '%%': 1}, min: {a: '@@'}, max: {a: '@@'}, comment: '@@', let: {v: '@@'}}",
            "{find: 'c', projection: {a: '@@', b: {$concat: ['$x', '@@']}, c: {$elemMatch: {d: '@@'}}, e: {$slice: ##}}}",
            "{find: 'c', limit: ##, skip: ##, batchSize: ##, maxTimeMS: ##, collation: {locale: '@@'}, unknown: '@@'}",
            "{find: 'c', lsid: {id: '@@'}, $clusterTime: {signature: '@@'}, $readPreference: {tags: [{a: '@@'}]}}",
            "{find: 'c', readConcern: {level: '@@'}, apiVersion: '@@', other: {deep: ['@@']}, $custom: '@@'}",
            "{find: 'c', comment: {user: '@@', test: '@@ (x)', nested: {a: '@@'}}}",
            "{count: 'c', query: {a: '@@'}, hint: '@@', comment: 'asked by @@ test:@@?'}",
            "{distinct: 'c', key: '@@@example.com', query: {a: '@@'}}",
            "{insert: 'c', documents: [{a: '@@', '@@': 1, b: {c: '@@'}}, {d: ##}], comment: '@@'}",
            "{update: 'c', updates: [{q: {a: '@@'}, u: {$set: {b: '@@', 'c.@@@example.com': 1, d: {'@@': 1}}}}]}",
            "{update: 'c', updates: [{q: {a: '@@'}, u: {b: '@@', '@@': {c: '@@'}}, upsert: true, hint: '@@'}]}",
            "{update: 'c', updates: [{q: {}, u: {$push: {a: {$each: ['@@'], $sort: {'@@': 1}}}, $inc: {n: ##}}}]}",
            "{update: 'c', updates: [{q: {}, u: {$pull: {a: {b: '@@'}}, $pullAll: {a: ['@@']}, $rename: {a: '@@'}}}]}",
            "{update: 'c', updates: [{q: {}, u: {$addToSet: {a: '$@@'}}, arrayFilters: [{'e.x': '@@'}], c: {v: '@@'}}]}",
            "{update: 'c', updates: [{q: {}, u: [{$set: {a: '@@', b: {$cond: [true, '@@', '$x']}}}]}], let: {v: '@@'}}",
            "{update: 'c', updates: [{q: {}, u: {$setOnInsert: {a: {'$@@': 1}}}, collation: {locale: '@@'}}]}",
            "{update: 'c', updates: [{q: {}, u: [{$set: {hash: '$2b$10$@@', phone: '$+49 @@'}}], comment: '@@'}]}",
            "{delete: 'c', deletes: [{q: {a: '@@', $comment: '@@'}, limit: 1, hint: '@@'}], writeConcern: {w: '@@'}}",
            "{findAndModify: 'c', query: {a: '@@'}, update: {$set: {b: '@@'}}, sort: {a: '@@'}, fields: {a: '@@'}}",
            "{aggregate: 'c', pipeline: [{$match: {a: '@@', $or: [{b: '@@'}]}}, {$addFields: {c: '@@', d: {e: '@@'}}}]}",
            "{aggregate: 'c', pipeline: [{$group: {_id: '@@', n: {$sum: ##}}}, {$project: {a: {$concat: ['@@', '$b']}}}]}",
            "{aggregate: 'c', pipeline: [{$lookup: {from: 'd', let: {v: '@@'}, pipeline: [{$match: {a: '@@'}}], as: '@@'}}]}",
            "{aggregate: 'c', pipeline: [{$facet: {f: [{$match: {a: '@@'}}]}}, {$bucket: {groupBy: '$a', boundaries: ['@@', '@@']}}]}",
            "{aggregate: 'c', pipeline: [{$graphLookup: {from: 'd', startWith: '@@', restrictSearchWithMatch: {a: '@@'}}}]}",
            "{aggregate: 'c', pipeline: [{$unionWith: {coll: 'd', pipeline: [{$match: {a: '@@'}}]}}, {$out: '@@ x'}]}",
            "{aggregate: 'c', pipeline: [{$geoNear: {near: {a: '@@'}, query: {b: '@@'}, key: '@@'}}, {$sample: {size: ##}}]}",
            "{aggregate: 'c', pipeline: [{$search: {text: {query: '@@'}}}, {$documents: [{a: '@@'}]}, {$noSuchStage: {a: '@@'}}]}",
            "{aggregate: 'c', pipeline: [{$merge: {into: {db: '@@ x', coll: '@@ y'}, whenMatched: [{$set: {a: '@@'}}], let: {v: '@@'}}}]}",
            "{aggregate: 'c', pipeline: [{$changeStream: {resumeAfter: {_data: '@@'}}}, {$redact: {$eq: ['$a', '@@']}}]}",
            "{aggregate: 'c', pipeline: [{$project: {a: {$function: {body: '@@', args: ['@@'], lang: 'js'}}}}, '@@']}",
            "{aggregate: 'c', pipeline: '@@', let: {v: '@@'}, comment: '@@', hint: '@@', cursor: {batchSize: ##}}",
            "{aggregate: 'c', pipeline: [{$set: {a: {$switch: {branches: [{case: {$eq: ['$a', '@@']}, then: '@@'}]}}}}]}",
            "{aggregate: 'c', pipeline: [{$match: {a: '$@@'}}, {$set: {b: {$const: {c: '$@@'}}, d: {$ifNull: ['$e', {$const: '$@@'}]}}}]}",
            "{aggregate: 'c', pipeline: [{$group: {_id: {$const: ['$@@']}, n: {$max: {$const: '$@@'}}}}, {$project: {a: {$literal: '$@@'}}}]}",
            "{aggregate: 'c', pipeline: [{$sort: {a: '$@@'}}, {$replaceWith: {$setField: {field: {$const: '$@@'}, input: '$a', value: 1}}}]}",
            "{update: 'c', updates: [{q: {a: '$@@'}, u: {$set: {b: '$@@'}, $push: {c: {$each: ['$@@']}}, $min: {d: '$@@'}}}]}",
            "{update: 'c', updates: [{q: {}, u: [{$set: {a: {$const: '$@@'}}}], arrayFilters: [{e: '$@@'}]}, {q: {}, u: {a: '$@@'}}]}",
            "{bulkWrite: 1, ops: [{insert: 0, document: {a: '@@'}}, {update: 0, filter: {a: '@@'}, updateMods: {$set: {b: '@@'}}}], nsInfo: [{ns: 'shop.@@ x'}]}",
            "{mapReduce: 'c', map: '@@', reduce: {$code: '@@'}, query: {a: '@@'}, scope: {v: '@@'}, out: '@@'}",
            "{explain: {find: 'c', filter: {a: '@@'}, comment: '@@'}, verbosity: '@@', comment: '@@'}",
            "{explain: {update: 'c', updates: [{q: {a: '@@'}, u: {$set: {b: '@@'}}}]}}",
            "{explain: {createUser: '@@', pwd: '@@'}}",
            "{getMore: {$numberLong: '##'}, collection: 'c', comment: '@@', term: '@@'}",
            "{killCursors: 'c', cursors: [{$numberLong: '##'}]}",
            "{saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: '@@', comment: 'test:@@'}",
            "{saslContinue: 1, conversationId: 1, payload: '@@'}",
            "{authenticate: 1, user: '@@', mechanism: 'MONGODB-X509'}",
            "{createUser: '@@', pwd: '@@', roles: [{role: '@@', db: '@@'}], customData: {a: '@@'}}",
            "{updateUser: '@@', pwd: '@@'}",
            "{usersInfo: '@@', filter: {a: '@@'}}",
            "{createuser: '@@', pwd: '@@'}",
            "{hello: 1, speculativeAuthenticate: {saslStart: 1, payload: '@@'}, saslSupportedMechs: 'admin.@@', comment: 'test:@@'}",
            "{isMaster: 1, speculativeAuthenticate: {authenticate: 1, user: '@@'}}",
            "{createIndexes: 'c', indexes: [{key: {a: 1}, name: '@@', partialFilterExpression: {a: '@@'}}]}",
            "{collMod: 'c', validator: {a: '@@'}}",
            "{killOp: 1, op: '@@'}",
            "{setParameter: 1, someParameter: '@@'}",
            "{getLog: '@@'}",
            "{noSuchCommand: '@@', value: '@@', nested: {a: ['@@']}}",
            "{'@@@example.com': 1, '%%': '@@'}");

    private static final Pattern PLACEHOLDER = Pattern.compile("@@|##|%%");

    private final List<String> secrets = new ArrayList<>();

    /** The command with every placeholder replaced by a secret of its own. */
    private CommandView planted(String template) {
        Matcher matcher = PLACEHOLDER.matcher(template);
        String json = matcher.replaceAll(match -> {
            int number = secrets.size();
            String secret = switch (match.group()) {
                case "@@" -> "Zq7secret" + number + "x";
                case "##" -> "97531" + String.format("%04d", number);
                default -> String.format("%024x", 0xfeedfacecafe0000L + number);
            };
            secrets.add(secret);
            return secret;
        });
        return Given.command(BsonDocument.parse(json));
    }

    private void assertHoldsNoSecret(String text, String template) {
        List<String> found = secrets.stream().filter(text::contains).collect(Collectors.toList());
        assertThat(found).as(template + " gave " + text).isEmpty();
    }

    @Test
    void noSecretReachesAShape() {
        for (String template : COMMANDS) {
            QueryShape shape = QueryShapes.of(planted(template));
            assertHoldsNoSecret(shape.text(), template);
            assertThat(shape.text()).as(template).doesNotContain("Zq7secret").doesNotContain("c2VjcmV0");
        }
        assertThat(secrets).hasSizeGreaterThan(150);
    }

    @Test
    void noSecretReachesTheLog() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(AuditSettings.Recording.ALL, 1_000), sink);
        int begun = 0;
        for (String template : COMMANDS) {
            CommandView command = planted(template);
            Auditor.PendingRecord routed = pipeline.begin(command, Given.broadcast(), Given.LOGGED, Given.SOURCE);
            Auditor.PendingRecord notRouted =
                    pipeline.begin(command, Given.notRouted("shop"), Given.ALLOWED, Given.SOURCE);
            for (Auditor.PendingRecord pending : new Auditor.PendingRecord[] {routed, notRouted}) {
                if (pending != null) {
                    begun++;
                    pipeline.end(pending, Given.ANSWERED);
                }
            }
        }
        pipeline.close();

        assertThat(sink.lines).hasSize(begun).hasSizeGreaterThan(100);
        assertThat(pipeline.internalErrors()).isZero();
        sink.lines.forEach(line -> assertHoldsNoSecret(line, "the log"));
        assertThat(sink.lines).allSatisfy(line -> assertThat(line).contains("\"app\":\"checkout\""));
    }

    /** The neighbour: what belongs to the schema is still there, so that the tests above do not pass on empty texts. */
    @Test
    void namesAndOperatorsAreKept() {
        assertThat(QueryShapes.of(planted("{find: 'c', filter: {visibleName: {$gt: '@@'}}}"))
                        .text())
                .contains("visibleName", "$gt");
    }
}
