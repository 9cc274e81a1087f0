package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.tests.support.ClusterDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of every talk on shard keys, {@code {zipcode, name, age}}: the longer the prefix, the fewer the shards. */
class CompoundKeyExampleTest {
    private static final int SHARDS = 12;
    private static final CatalogSnapshot PEOPLE = people();

    /** Six zip codes, each split by name and within the name Kim by age, dealt out to twelve shards in turn. */
    private static CatalogSnapshot people() {
        String[] shards = new String[SHARDS];
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = "shard" + (char) ('A' + i);
        }
        List<BsonDocument> splits = new ArrayList<>();
        for (int zipcode = 10_000; zipcode < 70_000; zipcode += 10_000) {
            for (String rest : List.of("'Abe', age: 0", "'Kim', age: 30", "'Kim', age: 60", "'Zoe', age: 0")) {
                splits.add(BsonDocument.parse("{zipcode: '" + zipcode + "', name: " + rest + "}"));
            }
        }
        String[] owners = Stream.iterate(0, i -> i + 1)
                .limit(splits.size() + 1)
                .map(i -> shards[i % SHARDS])
                .toArray(String[]::new);
        return ClusterDocuments.of(shards)
                .database("census", shards[0])
                .sharded("census.people", "{zipcode: 1, name: 1, age: 1}", splits, owners)
                .build()
                .snapshot();
    }

    private static Route find(String filter, RouterRelease release) {
        BsonDocument command = BsonDocument.parse("{find: 'people', filter: " + filter + "}");
        return new KeyRouter().route(CommandView.of("census", BsonView.encode(command)), PEOPLE, release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.4", "5.0", "6.0", "6.3", "7.0", "7.1", "8.0", "8.2", "9.0"})
    void everyFurtherFieldOfTheKeyLeavesFewerShards(String version) {
        RouterRelease release = RouterRelease.parse(version);
        Route full = find("{zipcode: '30000', name: 'Kim', age: 42}", release);
        Route two = find("{zipcode: '30000', name: 'Kim'}", release);
        Route one = find("{zipcode: '30000'}", release);
        Route none = find("{name: 'Kim', age: 42}", release);

        assertThat(full.shape()).isEqualTo(Shape.SINGLE_SHARD);
        assertThat(two.shape()).isEqualTo(Shape.MULTI_SHARD);
        assertThat(one.shape()).isEqualTo(Shape.MULTI_SHARD);
        assertThat(none.shape()).isEqualTo(Shape.SCATTER_GATHER);
        assertThat(Stream.of(full, two, one, none).map(route -> route.shards().size()))
                .containsExactly(1, 3, 5, SHARDS);
    }

    @Test
    void theOrderOfTheFieldsInTheFilterDoesNotMatterButTheirTypeDoes() {
        RouterRelease release = RouterRelease.DEFAULT;
        Route full = find("{zipcode: '30000', name: 'Kim', age: 42}", release);
        assertThat(find("{age: 42, name: 'Kim', zipcode: '30000'}", release).shards())
                .isEqualTo(full.shards());
        assertThat(find("{zipcode: 30000, name: 'Kim', age: 42}", release).shards())
                .isNotEqualTo(full.shards());
    }
}
