package io.scatterguard.tests.fuzz;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.scatterguard.tests.conformance.Lines;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The oracle's own hash and order of BSON values, and that they are its own. */
class OwnBsonTest {
    /** Ascending, one of each class of types and what is special in it. */
    private static final List<String> ASCENDING = List.of(
            "{$minKey: 1}",
            "{$undefined: true}",
            "null",
            "{$numberDouble: 'NaN'}",
            "{$numberDouble: '-Infinity'}",
            "-1",
            "-0.5",
            "0",
            "0.1",
            "{$numberLong: '9007199254740992'}",
            "{$numberLong: '9007199254740993'}",
            "{$numberDecimal: '9007199254740993.5'}",
            "{$numberDecimal: 'Infinity'}",
            "''",
            "'a'",
            "'a\\u0000'",
            "'aa'",
            "'\\uffff'",
            "'\\ud83d\\ude00'",
            "{}",
            "{b: 1}",
            "{b: 1, a: 1}",
            "{b: 2}",
            "{a: ''}",
            "[]",
            "[1]",
            "[1, 1]",
            "['']",
            "{$binary: {base64: 'AQ==', subType: '05'}}",
            "{$binary: {base64: 'AAA=', subType: '00'}}",
            "{$binary: {base64: '', subType: '02'}}",
            "{$binary: {base64: 'AA==', subType: '02'}}",
            "{$oid: '000000000000000000000001'}",
            "{$oid: 'f00000000000000000000001'}",
            "false",
            "true",
            "{$date: -1}",
            "{$date: 1}",
            "{$timestamp: {t: 1, i: 5}}",
            "{$timestamp: {t: 4294967295, i: 1}}",
            "{$regularExpression: {pattern: 'a', options: ''}}",
            "{$regularExpression: {pattern: 'a', options: 'i'}}",
            "{$code: 'a'}",
            "{$code: 'a', $scope: {}}",
            "{$maxKey: 1}");

    private static BsonValue value(String json) {
        return json.contains("undefined")
                ? new BsonUndefined()
                : BsonDocument.parse("{v: " + json + "}").get("v");
    }

    @Test
    void ordersAsTheSpecification() {
        for (int i = 0; i < ASCENDING.size(); i++) {
            for (int j = 0; j < ASCENDING.size(); j++) {
                assertThat(Integer.signum(BsonOrder.compare(value(ASCENDING.get(i)), value(ASCENDING.get(j)))))
                        .as("%s and %s", ASCENDING.get(i), ASCENDING.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void numbersOfEveryTypeAreOne() {
        List<String> same = List.of("5", "5.0", "{$numberLong: '5'}", "{$numberDecimal: '5.00'}");
        List<String> zeros = List.of("0", "-0.0", "{$numberDecimal: '-0'}", "{$numberDecimal: '0E+3'}");
        for (List<String> group : List.of(same, zeros)) {
            group.forEach(a -> group.forEach(b -> assertThat(BsonOrder.compare(value(a), value(b)))
                    .as("%s and %s", a, b)
                    .isZero()));
        }
    }

    @TestFactory
    Stream<DynamicTest> hashesAsTheServer() {
        return Lines.of("hashed-index-values.jsonl").stream()
                .map(BsonDocument::parse)
                .map(v -> DynamicTest.dynamicTest(
                        new BsonDocument("value", v.get("value")).toJson(),
                        () -> assertThat(BsonHash.of(v.get("value")).getValue())
                                .isEqualTo(v.getInt64("hash").getValue())));
    }

    @Test
    void onlyTheRouterUnderTestTouchesWhatIsJudged() {
        noClasses()
                .that()
                .resideInAPackage("io.scatterguard.tests.fuzz")
                .and()
                .haveNameNotMatching(".*KeyRouterUnderTest.*")
                .and()
                .haveNameNotMatching(
                        ".*(Test|ImportedCluster)(\\$.*)?") // compare what the generators here make; they judge nothing
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.scatterguard.protocol..", "io.scatterguard.proxy..")
                .check(new ClassFileImporter().importPackages("io.scatterguard.tests.fuzz"));
    }
}
