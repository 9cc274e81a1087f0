package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The short way gives the same routes as the general one, and is taken by the filters it is for and no others. */
class PlainEqualitiesTest {
    private static final int CASES = 40_000;
    private static final List<String> KEYS = List.of(
            "{a: 1}",
            "{a: 1, b: 1}",
            "{a: 1, b: 1, c: 1}",
            "{a: 'hashed'}",
            "{a: 1, h: 'hashed'}",
            "{h: 'hashed', b: 1, c: 1}",
            "{'a.b': 1, c: 1}",
            "{_id: 1}",
            "{'é': 1, a: 1}",
            "{a: 1, 'é': 1}",
            "{a: 1, 'é.a': 1}");

    private static final List<String> COMMANDS = List.of(
            "{find: 'c', filter: '?'}",
            "{find: 'c', filter: '?', let: {x: 1}, collation: {locale: 'simple'}}",
            "{find: 'c', filter: '?', collation: {locale: 'fr'}}",
            "{find: 'c', filter: '?', collation: {}}",
            "{explain: {find: 'c', filter: '?'}}",
            "{count: 'c', query: '?'}",
            "{distinct: 'c', key: 'x', query: '?'}",
            "{update: 'c', updates: [{q: '?', u: {$set: {x: 1}}}, {q: '?', u: {$set: {x: 1}}, multi: true}]}",
            "{update: 'c', updates: [{q: '?', u: {$set: {x: 1}}, upsert: true}, {q: '?', u: {x: 1}}], ordered: false}",
            "{delete: 'c', deletes: [{q: '?', limit: 1}, {q: '?', limit: 0, collation: {locale: 'fr'}}]}",
            "{explain: {delete: 'c', deletes: [{q: '?', limit: 1}, {q: '?', limit: 0}]}}",
            "{findAndModify: 'c', query: '?', remove: true}",
            "{explain: {findAndModify: 'c', query: '?', remove: true}}",
            "{findAndModify: 'c', query: '?', remove: true, collation: {locale: 'fr'}}");

    private static final List<String> RELEASES = List.of("4.4", "5.0", "6.0", "6.3", "7.0", "7.2", "8.0", "8.2", "9.0");

    private final long seed = Long.getLong("scatterguard.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final PlainFilters filters = new PlainFilters(random);
    private final KeyRouter router = new KeyRouter();

    /** In a conjunction of its own a filter is the same to the router, and no longer plain. */
    @Test
    void bothWaysGiveTheSameRoutes() {
        List<CatalogSnapshot> catalogs = KEYS.stream()
                .flatMap(key -> Stream.of("{}", "{locale: 'en', strength: 2}").map(c -> catalog(key, c)))
                .toList();
        int plain = 0;
        for (int i = 0; i < CASES; i++) {
            CatalogSnapshot catalog = pick(catalogs);
            ShardKey key = keyOf(catalog);
            RawBsonDocument filter =
                    filters.next(key.fields().stream().map(ShardKey.Field::path).toList());
            BsonDocument command = BsonDocument.parse(pick(COMMANDS));
            RouterRelease release = RouterRelease.parse(pick(RELEASES));
            BsonDocument wrapped = new BsonDocument("$and", new BsonArray(List.of(filter)));
            assertThat(route(with(command, filter), catalog, release))
                    .as("seed %d, case %d: %s of %s on %s in %s", seed, i, command, filter, key, release)
                    .isEqualTo(route(with(command, wrapped), catalog, release));
            plain += isPlain(filter, key) ? 1 : 0;
        }
        assertThat(plain).as("plain filters of seed %d", seed).isBetween(CASES / 5, CASES * 4 / 5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, b: 1}               | true",
                "{b: 'x', a: null}          | true",
                "{a: 1}                     | true",
                "{a: 1, x: 1, y: 'z'}       | true",
                "{a: 1, b: {$numberDecimal: '1.5'}, _id: {$oid: '000000000000000000000001'}} | true",
                "{a: null}                  | false",
                "{b: 1}                     | false",
                "{}                         | false",
                "{a: 1, b: {$eq: 1}}        | false",
                "{a: 1, b: 1, x: {y: 1}}    | false",
                "{a: 1, b: 1, x: [1]}       | false",
                "{a: 1, b: 1, x: {$regularExpression: {pattern: 'a', options: ''}}} | false",
                "{a: 1, b: 1, x: {$undefined: true}} | false",
                "{a: 1, b: {$minKey: 1}}    | false",
                "{a: 1, b: {$maxKey: 1}}    | false",
                "{a: 1, b: 1, $comment: ''} | false",
                "{a: 1, b: 1, 'a.x': 1}     | false",
                "{a: 1, b: 1, 'é': 1}       | false",
            })
    void isForNothingButPlainEqualities(String filter, boolean plain) {
        ShardKey key = ShardKey.of(BsonDocument.parse("{a: 1, b: 1}"));
        assertThat(isPlain(BsonDocument.parse(filter), key)).isEqualTo(plain);
    }

    @Test
    void aParentOfAKeyFieldIsLeftToTheGeneralWay() {
        ShardKey key = ShardKey.of(BsonDocument.parse("{a: 1, 'b.c': 1}"));
        assertThat(isPlain(BsonDocument.parse("{a: 1, b: 1}"), key)).isFalse();
        assertThat(isPlain(BsonDocument.parse("{a: 1, 'b.c.d': 1}"), key)).isFalse();
        assertThat(isPlain(BsonDocument.parse("{a: 1, 'b.d': 1, b1: 1}"), key)).isTrue();
    }

    private static boolean isPlain(BsonDocument filter, ShardKey key) {
        return new PlainEqualities(key).read(BsonView.encode(filter).cursor());
    }

    private Route route(BsonDocument command, CatalogSnapshot catalog, RouterRelease release) {
        return router.route(CommandView.of("test", BsonView.encode(command)), catalog, release);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** {@code command} with {@code filter} for every {@code '?'}. */
    private static BsonDocument with(BsonDocument command, BsonDocument filter) {
        BsonDocument result = new BsonDocument();
        command.forEach((name, value) -> result.append(name, with(value, filter)));
        return result;
    }

    private static BsonValue with(BsonValue value, BsonDocument filter) {
        if (value.isDocument()) {
            return with(value.asDocument(), filter);
        } else if (value.isArray()) {
            return new BsonArray(
                    value.asArray().stream().map(v -> with(v, filter)).toList());
        }
        return value.equals(new BsonString("?")) ? filter : value;
    }

    private static ShardKey keyOf(CatalogSnapshot catalog) {
        return catalog.tables().values().iterator().next().shardKey();
    }

    /** {@code test.c} by {@code key}, in about 40 chunks at random bounds on 5 shards of 6. */
    private CatalogSnapshot catalog(String pattern, String collation) {
        ShardKey key = ShardKey.of(BsonDocument.parse(pattern));
        TreeMap<byte[], BsonDocument> bounds = new TreeMap<>(KeyBytes::compare);
        BsonDocument min = new BsonDocument();
        BsonDocument max = new BsonDocument();
        key.fields().forEach(field -> min.append(field.path(), new BsonMinKey()));
        key.fields().forEach(field -> max.append(field.path(), new BsonMaxKey()));
        for (int i = 0; i < 40; i++) {
            BsonDocument bound = new BsonDocument();
            key.fields()
                    .forEach(f ->
                            bound.append(f.path(), f.hashed() ? new BsonInt64(random.nextLong()) : filters.scalar()));
            bounds.put(KeyBytes.ofValues(BsonView.encode(bound)), bound);
        }
        bounds.put(KeyBytes.ofValues(BsonView.encode(max)), max);
        List<BsonDocument> chunks = new ArrayList<>();
        BsonDocument from = min;
        for (BsonDocument to : bounds.values()) {
            chunks.add(new BsonDocument("ns", new BsonString("test.c"))
                    .append("min", from)
                    .append("max", to)
                    .append("shard", new BsonString("s" + random.nextInt(5)))
                    .append("lastmod", new BsonTimestamp(1, chunks.size())));
            from = to;
        }
        BsonDocument collection = new BsonDocument("_id", new BsonString("test.c"))
                .append("lastmodEpoch", new BsonObjectId())
                .append("key", BsonDocument.parse(pattern))
                .append("defaultCollation", BsonDocument.parse(collation));
        List<BsonDocument> shards = Stream.of("s0", "s1", "s2", "s3", "s4", "s5")
                .map(id -> new BsonDocument("_id", new BsonString(id)))
                .toList();
        BsonDocument database = BsonDocument.parse("{_id: 'test', primary: 's0'}");
        RawCatalog raw = new RawCatalog(shards, List.of(database), List.of(collection), chunks);
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }
}
