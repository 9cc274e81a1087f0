package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the matcher of mongo-java-server is proven on, by expectations written by hand; nothing else is asked of it. */
class MatcherProofTest {
    /** In MongoDB's order; what stands in one line is of one class of types, what stands in one bracket is equal. */
    private static final List<List<List<String>>> ORDER = List.of(
            List.of(List.of("{$minKey: 1}")),
            List.of(List.of("null")),
            List.of(
                    List.of("-1.0e400"),
                    List.of("-7", "{$numberLong: '-7'}", "-7.0", "{$numberDecimal: '-7.0'}"),
                    List.of("-6.5", "{$numberDecimal: '-6.5'}"),
                    List.of("0", "-0.0", "{$numberLong: '0'}"),
                    List.of("5", "5.0"),
                    List.of("5.5", "{$numberDecimal: '5.5'}"),
                    List.of("{$numberDecimal: '6'}", "6"),
                    List.of("1048575", "1048575.0", "{$numberDecimal: '1048575'}"),
                    List.of("1048575.5"),
                    List.of("{$numberLong: '1099511627776'}"),
                    List.of("{$numberLong: '1099511627777'}"),
                    List.of("1.0e400")),
            List.of(List.of("''"), List.of("'A'"), List.of("'B'"), List.of("'a'"), List.of("'aa'"), List.of("'b'")),
            List.of(
                    List.of("{}"),
                    List.of("{b: 1}", "{b: 1.0}"),
                    List.of("{b: 1, c: 1}"),
                    List.of("{b: 2}"),
                    List.of("{c: 1}"),
                    List.of("{b: 'a'}"),
                    List.of("{b: {c: 5}}")),
            List.of(List.of(binary("")), List.of(binary("AA==")), List.of(binary("AQ==")), List.of(binary("AAA="))),
            List.of(List.of(oid("00")), List.of(oid("01")), List.of(oid("7f")), List.of(oid("ff"))),
            List.of(List.of("false"), List.of("true")),
            List.of(List.of("{$date: -3}"), List.of("{$date: 0}"), List.of("{$date: 3}")),
            List.of(List.of(timestamp(0, 1)), List.of(timestamp(2, 0)), List.of(timestamp(4294967295L, 2))),
            List.of(List.of("{$maxKey: 1}")));

    private record Value(BsonValue value, int typeClass, int rank) {}

    private static String binary(String base64) {
        return "{$binary: {base64: '" + base64 + "', subType: '00'}}";
    }

    private static String oid(String start) {
        return "{$oid: '" + start + "0000000000000000000001'}";
    }

    private static String timestamp(long seconds, int increment) {
        return "{$timestamp: {t: " + seconds + ", i: " + increment + "}}";
    }

    private static List<Value> values() {
        List<Value> values = new ArrayList<>();
        int rank = 0;
        for (int typeClass = 0; typeClass < ORDER.size(); typeClass++) {
            for (List<String> equals : ORDER.get(typeClass)) {
                for (String json : equals) {
                    values.add(new Value(BsonDocument.parse("{v: " + json + "}").get("v"), typeClass, rank));
                }
                rank++;
            }
        }
        return values;
    }

    /** Every comparison of every type with every other. */
    @TestFactory
    Stream<DynamicTest> comparesByTheOrder() {
        return Stream.of("", "$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte")
                .map(operator -> DynamicTest.dynamicTest(operator.isEmpty() ? "value" : operator, () -> {
                    assertThat(wrong(operator, false)).isEmpty();
                    if (!operator.isEmpty() && !operator.endsWith("in")) {
                        assertThat(wrong(operator, true)).as("in $expr").isEmpty();
                    }
                }));
    }

    private static List<String> wrong(String operator, boolean expression) {
        List<String> wrong = new ArrayList<>();
        int judged = 0;
        for (Value operand : values()) {
            BsonDocument filter = expression ? expression(operator, operand) : filter(operator, operand);
            for (Value stored : values()) {
                BsonDocument document = new BsonDocument("a", stored.value());
                if (covers(filter, document)) {
                    judged++;
                    boolean expected = expected(operator, operand, stored, expression);
                    if (new Matcher(filter, false).matches(document) != expected) {
                        wrong.add(filter.toJson() + " " + document.toJson() + " " + expected);
                    }
                }
            }
        }
        assertThat(judged).isGreaterThan(values().size() * values().size() / 2);
        return wrong;
    }

    private static boolean covers(BsonDocument filter, BsonDocument document) {
        Layout layout = new Layout(List.of(new Layout.Field("a", false)), List.of(), List.of(), null);
        FuzzCase c = new FuzzCase(layout, filter, null, List.of(), List.of());
        return MatcherDomain.covers(c) && MatcherDomain.covers(c, document);
    }

    private static BsonDocument filter(String operator, Value operand) {
        if (operator.isEmpty()) {
            return new BsonDocument("a", operand.value());
        }
        boolean list = operator.endsWith("in");
        BsonValue argument =
                list ? new BsonArray(List.of(new BsonString("not among them"), operand.value())) : operand.value();
        return new BsonDocument("a", new BsonDocument(operator, argument));
    }

    private static BsonDocument expression(String operator, Value operand) {
        BsonValue constant =
                operand.value().isDocument() ? new BsonDocument("$literal", operand.value()) : operand.value();
        BsonArray sides = new BsonArray(List.of(new BsonString("$a"), constant));
        return new BsonDocument("$expr", new BsonDocument(operator, sides));
    }

    private static boolean expected(String operator, Value operand, Value stored, boolean anyType) {
        boolean comparable = anyType || stored.typeClass() == operand.typeClass();
        int order = Integer.compare(stored.rank(), operand.rank());
        return switch (operator) {
            case "$gt" -> comparable && order > 0;
            case "$gte" -> comparable && order >= 0;
            case "$lt" -> comparable && order < 0;
            case "$lte" -> comparable && order <= 0;
            case "$ne", "$nin" -> order != 0;
            default -> order == 0;
        };
    }

    /** Each line is right, or is not asked of the matcher. */
    @TestFactory
    Stream<DynamicTest> isRightWhereItIsAsked() {
        return lines().map(line -> DynamicTest.dynamicTest(line.text(), () -> {
            if (covers(line.filter(), line.document())) {
                assertThat(new Matcher(line.filter(), false).matches(line.document()))
                        .isEqualTo(line.matches());
            }
        }));
    }

    /** The exclusions are there for a reason: what is left out is mostly wrong, or raises something. */
    @Test
    void whatIsLeftOutIsOftenWrong() {
        List<Line> left = lines().filter(l -> !covers(l.filter(), l.document())).toList();
        List<String> wrong =
                left.stream().filter(MatcherProofTest::isWrong).map(Line::text).toList();
        System.out.printf(
                "matcher: %d of %d lines left out, wrong in %d%n", left.size(), lines().count(), wrong.size());
        assertThat(wrong).hasSizeGreaterThan(20);
        assertThat(left.size()).isLessThan(80);
    }

    private static boolean isWrong(Line line) {
        try {
            return new Matcher(line.filter(), false).matches(line.document()) != line.matches();
        } catch (RuntimeException e) {
            return true;
        }
    }

    private record Line(String text, BsonDocument filter, BsonDocument document, boolean matches) {}

    private static Stream<Line> lines() {
        try (InputStream in = MatcherProofTest.class.getResourceAsStream("/fuzz/matcher-proof.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(MatcherProofTest::line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Line line(String text) {
        String[] cells = text.split(" \\|\\| ", -1);
        return new Line(text, BsonDocument.parse(cells[0]), BsonDocument.parse(cells[1]), cells[2].equals("yes"));
    }

    /** Where upper and lower case are one, they are so in documents and in filters. */
    @Test
    void foldsCase() {
        BsonDocument filter = BsonDocument.parse("{a: {$gt: 'B'}, b: {$type: 'objectId'}}");
        BsonDocument document = BsonDocument.parse("{a: 'c'}")
                .append("b", BsonDocument.parse("{v: " + oid("00") + "}").get("v"));
        assertThat(new Matcher(filter, true).matches(document)).isTrue();
        assertThat(new Matcher(filter, true).matches(document.append("a", new BsonString("b"))))
                .isFalse();
        assertThat(new Matcher(filter, true).matches(document.append("a", new BsonInt32(1))))
                .isFalse();
        assertThat(document.get("b").getBsonType()).isEqualTo(BsonType.OBJECT_ID);
    }
}
