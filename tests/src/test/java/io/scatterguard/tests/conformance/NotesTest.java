package io.scatterguard.tests.conformance;

import static io.scatterguard.tests.conformance.NotesFixture.names;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is noted of a filter, and beside every note a neighbour of which nothing is to be said. */
class NotesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "number   | {a: null}                                   | keyEqualsNull(a)",
                "number   | {a: {$eq: null}, b: 1}                      | keyEqualsNull(a)",
                "number   | {a: {$in: [null]}}                          | keyEqualsNull(a)",
                "number   | {$expr: {$eq: ['$a', null]}}                | keyEqualsNull(a)",
                "hashed   | {a: null}                                   | keyEqualsNull(a)",
                "nullable | {a: null}                                   | ''",
                "number   | {b: null}                                   | ''",
                "number   | {a: {$exists: false}}                       | ''",
                "number   | {a: {$in: [null, 5]}}                       | ''",
                "number   | {a: {$ne: null}}                            | ''",
                "number   | {$or: [{a: null}, {a: 5}]}                  | ''",
                "tenant   | {tenantId: 't', userId: null}               | keyEqualsNull(userId)",
                "oid      | {a: '5f0000000000000000000000'}             | hexStringForObjectId(a)",
                "oid      | {a: {$in: ['5f0000000000000000000000', 'AF0000000000000000000000']}} | hexStringForObjectId(a)",
                "oid      | {$or: [{a: '5f0000000000000000000000'}, {a: '5f0000000000000000000001'}]} | hexStringForObjectId(a)",
                "tenant   | {tenantId: 't', userId: '5f0000000000000000000000'} | hexStringForObjectId(userId)",
                "oid      | {a: '5f000000000000000000000'}              | typeUnlikeKey(a)",
                "oid      | {a: {$oid: '5f0000000000000000000000'}}     | ''",
                "oid      | {a: {$in: ['5f0000000000000000000000', {$oid: '5f0000000000000000000000'}]}} | ''",
                "oid      | {b: '5f0000000000000000000000'}             | ''",
                "string   | {a: '5f0000000000000000000000'}             | ''",
                "hashed   | {a: '5f0000000000000000000000'}             | ''",
                "string   | {a: 5}                                      | numberForString(a)",
                "string   | {a: {$in: [5, {$numberLong: '6'}]}}         | numberForString(a)",
                "string   | {a: {$gte: 5, $lt: 7}}                      | numberForString(a)",
                "mixed    | {a: 5}                                      | ''",
                "mixed    | {a: 'x'}                                    | ''",
                "mixed    | {a: true}                                   | typeUnlikeKey(a)",
                "string   | {a: {$in: [5, '5']}}                        | ''",
                "nullable | {a: 5}                                      | numberForString(a)",
                "nullable | {a: 'x'}                                    | ''",
                "string   | {a: {$ne: 5}}                               | ''",
                "string   | {$expr: {$gt: ['$a', 5]}}                   | ''",
                "string   | {$expr: {$eq: ['$a', 5]}}                   | numberForString(a)",
                "number   | {a: '5'}                                    | typeUnlikeKey(a)",
                "number   | {a: {$regularExpression: {pattern: '^5', options: ''}}} | typeUnlikeKey(a)",
                "string   | {a: {$regularExpression: {pattern: '^5', options: ''}}} | ''",
                "string   | {a: {$gt: {$minKey: 1}}}                    | ''",
                "number   | {a: {$numberDecimal: '5.5'}}                | ''",
                "tenant   | {'user.tenantId': 't'}                      | keyUnderWrongPath(tenantId)",
                "tenant   | {'user.tenantId': {$in: ['t', 'u']}}        | keyUnderWrongPath(tenantId)",
                "nested   | {tenantId: 't'}                             | keyUnderWrongPath(meta.tenantId)",
                "nested   | {'user.tenantId': 't'}                      | keyUnderWrongPath(meta.tenantId)",
                "nested   | {'meta.tenantId': 't', tenantId: 't'}       | ''",
                "nested   | {meta: {tenantId: 't'}}                     | ''",
                "nested   | {tenantId: 5}                               | ''",
                "nested   | {tenantId: {$exists: true}}                 | ''",
                "nested   | {tenantId: {$ne: 't'}}                      | ''",
                "nested   | {'meta.otherTenantId': 't'}                 | ''",
                "byId     | {'user._id': 't'}                           | ''",
                "number   | {$or: [{a: 1}, {b: 1}]}                     | unscopedOrBranch(a)",
                "number   | {c: 1, $and: [{$or: [{a: 1, c: 1}, {b: 1}, {a: 2, d: 1}]}]} | unscopedOrBranch(a)",
                "number   | {$or: [{a: 1, c: 1}, {a: {$gt: 5}, b: 1}]}  | ''",
                "number   | {a: 5, $or: [{a: 1}, {b: 1}]}               | ''",
                "number   | {$or: [{b: 1}, {c: 1}]}                     | ''",
                "number   | {$nor: [{a: 1}, {b: 1}]}                    | ''",
                "number   | {$and: [{a: 1}, {a: 1}]}                    | keyFieldTwice(a)",
                "number   | {a: 1, $and: [{b: 2}, {$and: [{a: 2}]}]}    | keyFieldTwice(a)",
                "nested   | {meta: {tenantId: 't'}, 'meta.tenantId': 't'} | keyFieldTwice(meta.tenantId)",
                "number   | {a: 1, $and: [{a: {$gt: 0}}]}               | ''",
                "number   | {a: {$gt: 1, $lt: 5}}                       | ''",
                "number   | {b: 1, $and: [{b: 1}]}                      | ''",
                "number   | {$or: [{a: 1, b: 1}, {a: 1, b: 2}]}         | ''",
                "number   | {}                                          | ''",
                "number   | {a: 5}                                      | ''",
            })
    void aFilter(String collection, String filter, String expected) {
        for (String release : List.of("5.0", "6.3", "7.0", "8.0", "9.0")) {
            assertThat(names(collection, "{find: 'c', filter: " + filter + "}", release))
                    .as(release)
                    .isEqualTo(expected);
        }
        assertThat(names(collection, "{count: 'c', query: " + filter + "}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{distinct: 'c', key: 'x', query: " + filter + "}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{explain: {find: 'c', filter: " + filter + "}}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{aggregate: 'c', pipeline: [{$match: " + filter + "}], cursor: {}}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{aggregate: 'c', pipeline: [{$sort: {z: 1}}, {$match: " + filter + "}]}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{findAndModify: 'c', query: " + filter + ", remove: true}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{delete: 'c', deletes: [{q: " + filter + ", limit: 0}]}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(collection, "{update: 'c', updates: [{q: " + filter + ", u: {$set: {z: 1}}}]}", "8.0"))
                .isEqualTo(expected);
        assertThat(names(
                        collection,
                        "{bulkWrite: 1, ops: [{delete: 0, filter: " + filter + "}], nsInfo: [{ns: '"
                                + VectorCatalog.DATABASE + ".c'}]}",
                        "8.0"))
                .isEqualTo(expected);
    }
}
