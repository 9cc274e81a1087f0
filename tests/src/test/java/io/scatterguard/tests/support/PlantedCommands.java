package io.scatterguard.tests.support;

import io.scatterguard.protocol.command.CommandName;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Commands of every family with a secret wherever a value, or a name that is data, may stand; templates of
 * {@link PlantedSecrets}. What is recorded on purpose (namespaces, names of fields, applications and users, recognised
 * parts of comments) is none.
 */
public final class PlantedCommands {
    private static final String FILTER =
            "{status: '@', total: {$gt: #, $lte: #}, customer: {$in: ['@', '$@', #, &]}, _id: &, path: '$@',"
                    + " name: {$regex: '@', $options: 'i'}, title: {$not: {$eq: '@'}}, tags: {$all: ['@'], $size: #},"
                    + " items: {$elemMatch: {sku: '@', n: {$mod: [#, #]}}}, place: {$geoWithin: {$box: [[#, #], [#, #]]}},"
                    + " whole: {a: '@', b: {c: #}}, list: ['@', #], bytes: ~, $where: '@', $comment: '@', $text: {$search: '@'},"
                    + " $or: [{a: '@'}, {b: #}], $nor: [{c: '@'}], $jsonSchema: {properties: {a: {enum: ['@']}}}, byUser: {%: '@'},"
                    + " $expr: {$and: [{$eq: ['$a', '@']}, {$gt: ['$b', #]}, {$in: ['$c', ['@', #]]}, {$eq: ['$d', {$literal: '$@'}]},"
                    + " {$eq: ['$e', {$const: '$@'}]}, {$in: ['$f', {$const: ['$@', '@']}]}]}}";
    private static final String OPTIONS =
            ", comment: '@', let: {v: '@', w: {x: #}}, collation: {locale: '@'}, hint: '@',"
                    + " maxTimeMS: #, readConcern: {level: '@'}, writeConcern: {w: '@'}, $readPreference: {mode: '@', tags: [{dc: '@'}]}";
    private static final String UPDATE =
            "{$set: {a: '@', p: '$@', 'b.c': #, d: {e: '@'}, %: '@'}, $setOnInsert: {f: &}, $inc: {n: #},"
                    + " $push: {list: {$each: ['@', '$@', #], $slice: #}}, $pull: {tags: {$in: ['@']}}, $addToSet: {s: '@'},"
                    + " $unset: {u: '@'}, $rename: {old: '@'}, $bit: {flags: {or: #}}, $min: {m: #}}";
    private static final List<String> STAGES = List.of(
            "{$match: " + FILTER + "}",
            "{$set: {x: '@', y: {$concat: ['$a', '@']}, z: {$cond: ['$b', '@', #]}}}",
            "{$project: {x: {$literal: '@'}, p: {$literal: '$@'}, q: {$const: {r: '$@'}}, y: {$dateToString: {date: '$d', format: '@'}}}}",
            "{$group: {_id: {$toLower: '@'}, n: {$sum: #}, m: {$push: '@'}}}",
            "{$bucket: {groupBy: '$a', boundaries: [#, #], default: '@'}}",
            "{$facet: {one: [{$match: {a: '@'}}], two: [{$limit: #}]}}",
            "{$lookup: {from: 'customers', let: {v: '@'}, pipeline: [{$match: {a: '@', $expr: {$eq: ['$$v', #]}}}], as: 'c'}}",
            "{$graphLookup: {from: 'customers', startWith: '@', connectFromField: 'a', connectToField: 'b', as: 'c',"
                    + " maxDepth: #, restrictSearchWithMatch: {x: '@'}}}",
            "{$unionWith: {coll: 'customers', pipeline: [{$match: {a: '@'}}]}}",
            "{$search: {index: '@', text: {query: '@', path: 'a'}}}",
            "{$vectorSearch: {queryVector: [#, #], filter: {a: '@'}, index: '@'}}",
            "{$geoNear: {near: {type: 'Point', coordinates: [#, #]}, distanceField: 'd', query: {a: '@'}}}",
            "{$redact: {$cond: [{$eq: ['$level', '@']}, '$$KEEP', '$$PRUNE']}}",
            "{$replaceRoot: {newRoot: {a: '@', %: #}}}",
            "{$densify: {field: 'a', range: {step: #, bounds: [#, #]}}}",
            "{$fill: {output: {a: {value: '@'}}}}",
            "{$setWindowFields: {partitionBy: '@', output: {a: {$shift: {output: '$b', by: #, default: '@'}}}}}",
            "{$documents: [{a: '@'}]}",
            "{$changeStream: {resumeAfter: {_data: '@'}, startAtOperationTime: '@'}}",
            "{$listSessions: {users: [{user: '@', db: '@'}]}}",
            "{$addFields: {f: {$function: {body: '@', args: ['@', #], lang: 'js'}}}}",
            "{$merge: {into: 'out', let: {v: '@'}, whenMatched: [{$set: {a: '@'}}]}}",
            "{$sample: {size: #}}",
            "{$skip: #}",
            "{$noSuchStage: {a: '@', %: #}}");

    private PlantedCommands() {}

    /** Commands as drivers send them, of every family but those with credentials. */
    public static List<String> ofEveryFamily() {
        List<String> commands = new ArrayList<>(List.of(
                "{find: 'orders', filter: " + FILTER + ", sort: {a: 1}, limit: #, skip: #, min: {a: '@'}, max: {a: #},"
                        + " projection: {a: {$elemMatch: {b: '@'}}, c: {$literal: #}, d: {$const: '$@'}}" + OPTIONS
                        + "}",
                "{find: 'orders', filter: {_id: '@'}, comment: {ticket: '@', %: '@', scatterguard: '@', traceparent: '@'}}",
                "{count: 'orders', query: " + FILTER + OPTIONS + "}",
                "{distinct: 'orders', key: 'status', query: " + FILTER + OPTIONS + "}",
                "{insert: 'orders', documents: [{a: '@', b: #, c: {d: '@'}, _id: &, e: ~}, {a: '@'}], ordered: true"
                        + OPTIONS + "}",
                "{update: 'orders', updates: [{q: " + FILTER + ", u: " + UPDATE
                        + ", multi: true, arrayFilters: [{'x.a': '@'}],"
                        + " collation: {locale: '@'}, hint: '@', sort: {a: 1}, c: {v: '@'}}, {q: {}, u: {a: '@', b: #}},"
                        + " {q: {a: '@'}, u: [{$set: {a: '@'}}, {$replaceWith: {b: #}}]}]" + OPTIONS + "}",
                "{delete: 'orders', deletes: [{q: " + FILTER + ", limit: 0, hint: '@', collation: {locale: '@'}}]"
                        + OPTIONS + "}",
                "{findAndModify: 'orders', query: " + FILTER + ", update: " + UPDATE
                        + ", fields: {a: {$literal: '@'}}, arrayFilters: [{'x.a': '@'}]" + OPTIONS + "}",
                "{findAndModify: 'orders', query: {a: '@'}, update: {whole: '@', n: #}, upsert: true}",
                "{bulkWrite: 1, nsInfo: [{ns: 'shop.orders'}], ops: [{insert: 0, document: {a: '@', %: #}}, {update: 0,"
                        + " filter: " + FILTER + ", updateMods: " + UPDATE
                        + ", arrayFilters: [{'x.a': '@'}], constants: {v: '@'}},"
                        + " {delete: 0, filter: {a: '@'}, hint: '@'}]" + OPTIONS + ", $db: 'admin'}",
                "{mapReduce: 'orders', map: '@', reduce: {$code: 's3cr3t00000y'}, finalize: '@', query: " + FILTER
                        + ", scope: {a: '@', n: #}, out: {inline: 1}" + OPTIONS + "}",
                "{getMore: {$numberLong: '#'}, collection: 'orders', batchSize: #, comment: '@', term: #}",
                "{killCursors: 'orders', cursors: [{$numberLong: '#'}], comment: '@'}",
                "{createIndexes: 'orders', indexes: [{key: {a: 1}, name: '@', partialFilterExpression: {a: {$gt: '@'}},"
                        + " collation: {locale: '@'}, weights: {a: #}, default_language: '@', expireAfterSeconds: #}],"
                        + " comment: '@', commitQuorum: '@'}",
                "{collMod: 'orders', validator: " + FILTER
                        + ", index: {name: '@', expireAfterSeconds: #}, comment: '@'}",
                "{create: 'fresh', validator: " + FILTER + ", collation: {locale: '@'}, pipeline: [{$match: {a: '@'}}],"
                        + " storageEngine: {wiredTiger: {configString: '@'}}, encryptedFields: {fields: [{keyId: ~}]}}",
                "{dropIndexes: 'orders', index: '@', comment: '@'}",
                "{validate: 'orders', comment: '@', repair: '@'}",
                "{listCollections: 1, filter: {name: '@', 'options.x': #}, comment: '@', cursor: {batchSize: #}}",
                "{listDatabases: 1, filter: {name: '@'}, comment: '@', $db: 'admin'}",
                "{currentOp: 1, '$all': true, comment: '@', filter: '@', ns: '@', $db: 'admin'}",
                "{setParameter: 1, logLevel: #, comment: '@', secretParameter: '@', $db: 'admin'}",
                "{shardCollection: 'shop.fresh', key: {a: 1}, collation: {locale: '@'}, presplitHashedZones: '@', $db: 'admin'}",
                "{split: 'shop.orders', middle: {region: '@', userId: #}, find: {region: '@'}, $db: 'admin'}",
                "{moveChunk: 'shop.orders', find: {region: '@'}, to: '@', $db: 'admin'}",
                "{startSession: 1, comment: '@'}",
                "{commitTransaction: 1, txnNumber: {$numberLong: '#'}, autocommit: false, lsid: {id: ~}, recoveryToken:"
                        + " {a: '@'}, $db: 'admin'}",
                "{noSuchCommand: '@', a: '@', %: #, filter: " + FILTER + "}",
                "{find: ~, filter: {a: '@'}}",
                "{find: '', filter: {a: '@'}}"));
        for (String stage : STAGES) {
            commands.add("{aggregate: 'orders', pipeline: [" + stage + "], cursor: {batchSize: #}" + OPTIONS + "}");
        }
        for (String explained : List.copyOf(commands)) {
            if (explained.startsWith("{find: 'o")
                    || explained.startsWith("{aggregate")
                    || explained.startsWith("{update")) {
                commands.add("{explain: " + explained + ", verbosity: '@', comment: '@'}");
            }
        }
        return commands;
    }

    /** Every command there is but those with credentials, with whatever argument any of them takes. */
    public static List<String> ofEveryName() {
        List<String> commands = new ArrayList<>();
        for (CommandName name : CommandName.values()) {
            boolean plain = !name.isSensitive() && name.kind() != CommandName.Kind.HANDSHAKE;
            if (plain && name != CommandName.EXPLAIN && name != CommandName.UNKNOWN) {
                String first = name == CommandName.GET_MORE ? "{$numberLong: '#'}" : "'orders'";
                commands.add(
                        "{" + name.text() + ": " + first + ", query: {a: '@', b: {$in: [#]}}, filter: {a: '@', %: #},"
                                + " q: {a: '@'}, pipeline: [{$match: {a: '@'}}], updates: [{q: {a: '@'}, u: {$set: {a: '@'}}}],"
                                + " deletes: [{q: {a: '@'}, limit: 0}], documents: [{a: '@'}], update: {$set: {a: '@'}}, key: {a: '@'},"
                                + " value: '@', name: '@', user: '@', comment: '@'"
                                + OPTIONS.replace(", comment: '@'", "") + "}");
            }
        }
        return commands;
    }

    /** Those with credentials, and handshakes: nothing of them is recorded but, of the latter, their name. */
    public static List<String> withCredentials() {
        List<String> commands = new ArrayList<>();
        String rest =
                ", payload: ~, mechanism: '@', pwd: '@', key: '@', nonce: '@', user: '@', digestPassword: '@', customData:"
                        + " {a: '@', %: #}, roles: [{role: '@', db: '@'}], privileges: [{resource: {db: '@'}, actions: ['@']}],"
                        + " authenticationRestrictions: [{clientSource: ['@']}], mechanisms: ['@'], comment: '@'}";
        for (CommandName name : CommandName.values()) {
            if (name.isSensitive()) {
                commands.add("{" + name.text() + ": '@'" + rest);
                commands.add("{explain: {" + name.text() + ": '@'" + rest + ", verbosity: '@'}");
            }
        }
        for (String hello : List.of("hello", "isMaster", "ismaster")) {
            commands.add("{" + hello
                    + ": 1, loadBalanced: '@', saslSupportedMechs: '@', speculativeAuthenticate: {saslStart: 1,"
                    + " db: '@'" + rest + ", comment: '@'}");
        }
        return commands;
    }

    /** {@code command} as a message that is broken in some way, most of them where one of its secrets begins. */
    public static List<byte[]> broken(BsonDocument command) {
        List<byte[]> broken = new ArrayList<>();
        byte[] plain = OpMsgBuilder.of(1, command).encode();
        for (int at = plain.length - 40, found = 0; at > 60 && found < 4; at--) {
            if (plain[at] == 's' && plain[at + 1] == '3' && plain[at - 4] == 13) {
                byte[] cut = plain.clone();
                cut[at - 4] = 127; // the length of the text reaches beyond its document
                cut[at - 3] = 1;
                broken.add(cut);
                found++;
                at -= plain.length / 6;
            }
        }
        byte[] checksum = OpMsgBuilder.of(2, command).checksum().encode();
        checksum[checksum.length - 1]++;
        broken.add(checksum);
        byte[] section = plain.clone();
        section[20] = 7; // a kind of section that nobody knows
        broken.add(section);
        broken.add(OpMsgBuilder.of(3, command).flags(1 << 5).encode()); // a required flag bit that nobody knows
        broken.add(OpMsgBuilder.of(4, command)
                .sequence("s3cr3t00000x", List.of(command))
                .encode());
        broken.add(
                OpMsgBuilder.of(5, command).sequence("filter", List.of(command)).encode()); // twice
        return broken;
    }
}
