package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepetitionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, $and: [{a: 1}]}                              | true",
                "{a: 1, $and: [{a: {$numberLong: '1'}}]}             | true",
                "{a: {$gt: 1}, $and: [{a: {$gt: 1}}]}                | true",
                "{a: {$in: [1, 2]}, $and: [{a: {$in: [2, 1, 1]}}]}   | true",
                "{$or: [{a: 1}, {a: 1}]}                             | true",
                "{$or: [{a: 1}, {a: 1, b: 1}]}                       | true",
                "{a: 1, $or: [{a: 1, b: 1}, {c: 1}]}                 | true",
                "{a: 1, $or: [{b: 1, $or: [{a: 1, c: 1}, {d: 1}]}, {c: 1}]} | true",
                "{$or: [{a: 1, $and: [{a: 1}]}, {b: 1}]}             | true",
                "{}                                                  | false",
                "{a: 1, b: 1}                                        | false",
                "{a: 1, $and: [{a: 2}]}                              | false",
                "{a: {$gt: 1, $lt: 5}}                               | false",
                "{a: {$in: [1, 2]}}                                  | false",
                "{a: 1, $and: [{a: {$gte: 1}}]}                      | false",
                "{$or: [{a: 1}, {a: 2}]}                             | false",
                "{$or: [{a: 1, b: 1}, {a: 1, c: 1}]}                 | false",
                "{a: 1, $or: [{a: 2, b: 1}, {c: 1}]}                 | false",
                "{a: 1, b: {$not: {$eq: 1}}, $nor: [{a: 1}]}         | false",
            })
    void isFoundWhereverItMakesADifference(String json, boolean repeats) {
        RouterRelease release = new RouterRelease(8, 0);
        BsonView filter = BsonView.encode(BsonDocument.parse(json));
        IntervalBudget budget = new IntervalBudget();
        Filter raw = FilterParser.parse(filter, new ExprParser(null, release));
        Filter normal = FilterNormalizer.normalForm(raw, release, budget);
        assertThat(Repetition.in(normal, budget)).isEqualTo(repeats);
    }
}
