package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.offline.VectorCatalog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;

/** The chunks of a cluster, declared by a rules file, give the table that the cluster's own documents give. */
class DeclaredLayoutsTest {
    private static final long SEED = 20_261_201;
    private static final int LAYOUTS = 2_000;
    private static final JsonWriterSettings CANONICAL =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    @Test
    void declaredChunksGiveTheTableOfTheCluster() {
        for (int number = 0; number < LAYOUTS; number++) {
            Dice dice = new Dice(SEED, number);
            BsonDocument collation = dice.chance(30) ? BsonDocument.parse("{locale: 'fr', strength: 2}") : null;
            Layout layout = new LayoutGenerator(dice).layout(false, collation);
            CatalogSnapshot cluster = VectorCatalog.of(layout.vector());
            CatalogSnapshot declared = new DeclaredCatalog(
                            RulesFile.parse(rules(layout), "layout " + number), DeclaredLayout.of(8, 0))
                    .apply(CatalogLoad.ofNothing(Instant.EPOCH).snapshot());
            RoutingTable expected = cluster.tables().values().iterator().next();
            RoutingTable table = declared.tables().values().iterator().next();

            assertThat(described(declared, table))
                    .as("seed %d, layout %d: %s", SEED, number, rules(layout))
                    .isEqualTo(described(cluster, expected));
            assertThat(table.shardKey()).isEqualTo(expected.shardKey());
            assertThat(table.collection().defaultCollation())
                    .isEqualTo(expected.collection().defaultCollation());
        }
    }

    private static List<String> described(CatalogSnapshot catalog, RoutingTable table) {
        List<String> chunks = new ArrayList<>();
        for (int i = 0; i < table.chunkCount(); i++) {
            chunks.add(HexFormat.of().formatHex(table.min(i)) + " "
                    + catalog.registry().ids().get(table.owner(i)));
        }
        return chunks;
    }

    /** JSON is YAML. */
    private static String rules(Layout layout) {
        BsonDocument vector = layout.vector();
        BsonArray chunks = new BsonArray();
        for (BsonValue chunk : vector.getArray("chunks")) {
            chunks.add(new BsonDocument("min", chunk.asDocument().get("min"))
                    .append("shard", chunk.asDocument().get("shard")));
        }
        BsonDocument rule = new BsonDocument("namespace", new BsonString("test.c"))
                .append("key", vector.get("shardKey"))
                .append("chunks", chunks);
        if (layout.collation() != null) {
            rule.append("collation", layout.collation());
        }
        return "shardingRules: [" + rule.toJson(CANONICAL) + "]";
    }
}
