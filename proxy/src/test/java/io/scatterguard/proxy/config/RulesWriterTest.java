package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesWriterTest {
    private static final Namespace ORDERS = new Namespace("shop", "orders");
    private static final BsonDocument KEY = BsonDocument.parse("{a: 1}");

    private static String written(List<? extends ShardingRule> rules, String... notes) {
        StringWriter text = new StringWriter();
        try {
            RulesWriter writer = new RulesWriter(text, List.of("Sharding rules"));
            for (ShardingRule rule : rules) {
                writer.rule(rule, List.of(notes));
            }
            writer.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static List<ShardingRule> readBack(List<? extends ShardingRule> rules) {
        return RulesFile.parse(written(rules), "rules.yaml");
    }

    private static CollectionRule rule(Distribution distribution) {
        return new CollectionRule(ORDERS, KEY, false, null, distribution, null, List.of());
    }

    /** Chunks that begin at MinKey and at {@code mins}, in their order. */
    private static CollectionRule chunksFrom(List<BsonValue> mins) {
        TreeMap<byte[], BsonDocument> sorted = new TreeMap<>(KeyBytes::compare);
        Stream.concat(Stream.of(new BsonMinKey()), mins.stream())
                .map(min -> new BsonDocument("a", min))
                .forEach(min -> sorted.put(KeyBytes.ofValues(BsonView.encode(min)), min));
        sorted.remove(KeyBytes.ofValues(BsonView.encode(new BsonDocument("a", new BsonMaxKey()))));
        return rule(new Chunks(
                sorted.values().stream().map(min -> new ChunkRule(min, "s1")).toList()));
    }

    /** Equal as bytes: documents are equal in Java that differ in the order of their fields. */
    private static void assertSameBytes(BsonDocument read, BsonDocument given) {
        assertThat(read).isEqualTo(given);
        assertThat(bytes(read)).isEqualTo(bytes(given));
    }

    private static byte[] bytes(BsonDocument document) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
        }
        return out.toByteArray();
    }

    @Test
    void writesWhatPeopleCanRead() {
        CollectionRule rule = new CollectionRule(
                ORDERS,
                BsonDocument.parse("{customer: 1, no: 'hashed'}"),
                true,
                BsonDocument.parse("{locale: 'en', strength: 2}"),
                new Chunks(List.of(
                        new ChunkRule(BsonDocument.parse("{customer: {$minKey: 1}, no: {$minKey: 1}}"), "shard-a"),
                        new ChunkRule(
                                BsonDocument.parse("{customer: 'no', no: {$numberLong: '-4611686018427387902'}}"),
                                "shard-b"))),
                null,
                List.of());

        assertThat(written(List.of(new DatabaseRule("shop", "shard-a"), rule), "from somewhere\nelse"))
                .isEqualTo("""
                        # Sharding rules
                        shardingRules:
                          # from somewhere?else
                          - database: shop
                            primary: shard-a

                          # from somewhere?else
                          - namespace: shop.orders
                            key: {customer: 1, "no": "hashed"}
                            unique: true
                            collation: {locale: "en", strength: 2}
                            chunks:
                              - {min: {customer: {$minKey: 1}, "no": {$minKey: 1}}, shard: shard-a}
                              - {min: {customer: "no", "no": -4611686018427387902}, shard: shard-b}
                        """);
    }

    @Test
    void readsBackEveryKindOfRule() {
        BsonDocument collation = BsonDocument.parse("{locale: 'fr', caseLevel: true}");
        TimeseriesRule timeseries = new TimeseriesRule("w${hen}", "a", "hours", null, null);
        List<ShardingRule> rules = List.of(
                new DatabaseRule("null", "true"),
                new DatabaseRule("a ${HOME} # b: c", "ü\u2028"),
                new ClusterShardsRule(List.of("a", "no", "x, y", "${z}")),
                rule(new Shards(7)),
                rule(new Shards(5, Bounds.UNKNOWN)),
                rule(new SplitAt(List.of(BsonDocument.parse("{a: 1}"), BsonDocument.parse("{a: '1'}")), 4)),
                new CollectionRule(
                        ORDERS,
                        KEY,
                        true,
                        collation,
                        new Shards(1),
                        timeseries,
                        List.of(KEY, BsonDocument.parse("{b: 1}"))),
                new CollectionRule(
                        ORDERS, BsonDocument.parse("{_id: 1}"), false, null, new Unsplittable("no"), null, List.of()),
                new CollectionRule(
                        new Namespace("shop", "moved"),
                        BsonDocument.parse("{_id: 1}"),
                        false,
                        null,
                        new Unsplittable("s1"),
                        timeseries,
                        List.of()),
                new ViewRule(
                        new Namespace("shop", "open"),
                        ORDERS,
                        List.of(BsonDocument.parse("{$match: {a: {$in: [1, 1.0, {$numberLong: '1'}]}}}")),
                        collation),
                new ViewRule(new Namespace("shop", "alias"), ORDERS, List.of(), null));

        assertThat(rules).allSatisfy(rule -> assertThat(readBack(List.of(rule))).containsExactly(rule));
    }

    @Test
    void aFileWithoutRulesIsAFileOfRules() {
        assertThat(readBack(List.of())).isEmpty();
    }

    /** Each is another value, and something else when it stands without quotes or as an ordinary number. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{v: '1'}",
                "{v: '1.0'}",
                "{v: '0x1F'}",
                "{v: '017'}",
                "{v: '1e3'}",
                "{v: '1_000'}",
                "{v: '12:30:45'}",
                "{v: '2024-01-01'}",
                "{v: 'null'}",
                "{v: '~'}",
                "{v: 'True'}",
                "{v: 'Off'}",
                "{v: ''}",
                "{v: ' a '}",
                "{v: '- a'}",
                "{v: 'a: b'}",
                "{v: 'a #b'}",
                "{v: '&a'}",
                "{v: '*a'}",
                "{v: '!a'}",
                "{v: '{a}'}",
                "{v: '<<'}",
                "{'<<': {a: 1}}",
                "{'': {'': ''}}",
                "{'1': 1, 'null': 2, 'true': 3, '~': 4}",
                "{v: '${HOME}'}",
                "{v: '.inf'}",
                "{v: '.nan'}",
                "{v: '='}",
                "{v: '%a'}",
                "{v: '@a'}",
                "{v: '`a'}",
                "{v: 1}",
                "{v: {$numberLong: '1'}}",
                "{v: 1.0}",
                "{v: {$numberDecimal: '1'}}",
                "{v: {$numberDecimal: '1.00'}}",
                "{v: {$numberDecimal: '-0E-6176'}}",
                "{v: {$numberDecimal: 'NaN'}}",
                "{v: -0.0}",
                "{v: 1e300}",
                "{v: 4.9e-324}",
                "{v: {$numberDouble: 'NaN'}}",
                "{v: {$numberDouble: '-Infinity'}}",
                "{v: {$numberLong: '2147483648'}}",
                "{v: {$numberLong: '-9223372036854775808'}}",
                "{v: {$date: {$numberLong: '-1'}}}",
                "{v: {$date: {$numberLong: '253402300800000'}}}",
                "{v: {$date: {$numberLong: '1'}}}",
                "{v: {$timestamp: {t: 4294967295, i: 4294967295}}}",
                "{v: /a\\/\"b/im}",
                "{v: {$binary: {base64: '', subType: '80'}}}",
                "{v: {$undefined: true}}",
                "{v: {$symbol: 'a'}}",
                "{v: {$code: 'f(\"x\")', $scope: {a: {$numberLong: '1'}}}}",
                "{v: [[], {}, [{}]]}",
                "{v: null}",
                "{v: {'$dbPointer': {'$ref': 'a.b', '$id': {'$oid': '65a000000000000000000001'}}}}"
            })
    void keepsTheTypeOf(String json) {
        BsonDocument value = BsonDocument.parse(json);

        assertThat(RulesWriter.keeps(value)).isTrue();
        assertSameBytes(RulesFile.document(FlowText.of(value)), value);
    }

    @Test
    void keepsEveryCharacterAndNamesOfAnyLength() {
        StringBuilder all = new StringBuilder();
        IntStream.rangeClosed(0, 0xffff)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .forEach(c -> all.append((char) c));
        all.append("\ud83d\ude00");
        BsonDocument value = new BsonDocument("n".repeat(3_000), new BsonInt32(1))
                .append("x" + "é".repeat(3_000), new BsonString("s".repeat(100_000)))
                .append("all", new BsonString(all.toString()));

        assertSameBytes(RulesFile.document(FlowText.of(value)), value);
    }

    @Test
    void boundsOfEveryTypeAreReadBackAsTheSameBytes() {
        SplittableRandom random = new SplittableRandom(20261201);
        for (int round = 0; round < 40; round++) {
            RandomValues values = new RandomValues(random);
            List<BsonValue> mins = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                BsonValue min = values.next(3);
                BsonDocument bound = new BsonDocument("a", min);
                if (RulesWriter.keeps(bound)) {
                    assertSameBytes(RulesFile.document(FlowText.of(bound)), bound);
                    mins.add(min.isArray() ? new BsonMinKey() : min);
                }
            }
            CollectionRule given = chunksFrom(mins);

            CollectionRule read = (CollectionRule) readBack(List.of(given)).get(0);

            List<ChunkRule> chunks = ((Chunks) read.distribution()).chunks();
            List<ChunkRule> expected = ((Chunks) given.distribution()).chunks();
            assertThat(chunks).hasSameSizeAs(expected).hasSizeGreaterThan(50);
            for (int i = 0; i < expected.size(); i++) {
                assertSameBytes(chunks.get(i).min(), expected.get(i).min());
            }
        }
    }

    @Test
    void saysWhatWouldComeBackAsSomethingElse() {
        BsonDocument like = new BsonDocument("a", new BsonDocument("$oid", new BsonString("65a000000000000000000001")));
        BsonDocument broken = new BsonDocument("a", new BsonDocument("$oid", new BsonString("x")));

        assertThat(RulesWriter.keeps(like)).isFalse();
        assertThat(RulesWriter.keeps(broken)).isFalse();
        assertThat(RulesWriter.keeps(new BsonDocument("a", new BsonDocument("$o", new BsonInt32(1)))))
                .isTrue();
    }

    @Test
    void aRegexInTwoFieldsIsKeptAsARegex() {
        BsonDocument match = new BsonDocument(
                "$match",
                new BsonDocument(
                        "a", new BsonDocument("$regex", new BsonString("^x")).append("$options", new BsonString("i"))));

        assertThat(RulesWriter.keeps(match)).isTrue();
        assertThat(RulesFile.document(FlowText.of(match)).getDocument("$match"))
                .isEqualTo(BsonDocument.parse("{a: /^x/i}"));
    }

    @Test
    void readsAHundredThousandChunks(@TempDir Path folder) throws IOException {
        List<BsonValue> mins = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            mins.add(new BsonString("customer-%08d-with-a-longer-name".formatted(i)));
        }
        CollectionRule given = chunksFrom(mins);
        Path file = folder.resolve("rules.yaml");
        Files.writeString(file, written(List.of(given)));

        assertThat(Files.size(file)).isGreaterThan(6_000_000).isLessThan(OneKeyFile.MAX_BYTES);
        assertThat(RulesFile.read(file)).isEqualTo(List.of(given));
    }
}
