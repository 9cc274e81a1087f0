package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;

/** The placement of large tables at earlier times, against one that goes through the history of every chunk. */
class PastPlacementTest {
    private static final List<String> SHARDS = List.of("s0", "s1", "s2", "s3");
    private static final int NEWEST = 1_000;

    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());
    private final List<BsonArray> histories = new ArrayList<>();

    /** @param moving how many of the chunks, spread evenly, were elsewhere before */
    private RoutingTable table(int chunks, int moving, Random random) {
        SHARDS.forEach(ordinals::ordinal);
        PageWriter pages = new PageWriter(ChunkPages.PAGE_CHUNKS);
        for (int i = 0; i < chunks; i++) {
            boolean moves = (long) i * moving / chunks != (long) (i + 1) * moving / chunks;
            BsonArray history = history(moves ? 2 + random.nextInt(3) : 1, random);
            histories.add(history);
            int owner = ordinals.ordinal(
                    history.get(0).asDocument().getString("shard").getValue());
            ChunkHistory read = ChunkHistory.of(new BsonDocument("history", history), ordinals);
            pages.add(new KeyBytes().appendInt64(i).toByteArray(), owner, read);
        }
        CollectionInfo info = new CollectionInfo(
                Namespace.parse("test.c"), ShardKey.of(BsonDocument.parse("{a: 1}")), null, false, false, null);
        return new RoutingTable(info, new ChunkVersion(1, 0), pages.build());
    }

    private static BsonArray history(int entries, Random random) {
        BsonArray history = new BsonArray();
        int time = entries == 1 ? 1 : NEWEST - random.nextInt(100);
        for (int i = 0; i < entries; i++) {
            String shard = SHARDS.get(random.nextInt(SHARDS.size()));
            history.add(
                    new BsonDocument("validAfter", new BsonTimestamp(time, 0)).append("shard", new BsonString(shard)));
            time -= 1 + random.nextInt(200);
        }
        return history;
    }

    /** The ordinal by the history of the chunk alone; {@code tooShort} where that does not reach back. */
    private int ownerAt(int chunk, int time, int tooShort) {
        return histories.get(chunk).stream()
                .map(entry -> entry.asDocument())
                .filter(entry -> entry.getTimestamp("validAfter").getTime() <= time)
                .findFirst()
                .map(entry -> ordinals.ordinal(entry.getString("shard").getValue()))
                .orElse(tooShort);
    }

    @Test
    void isThatOfEachChunk() {
        Random random = new Random(7);
        int chunks = 3_000;
        RoutingTable table = table(chunks, 200, random);
        for (int time = 300; time <= NEWEST; time += 50) {
            PastPlacement past = table.at(new BsonTimestamp(time, 0).getValue());
            assertThat(past.followed()).isTrue();
            BitSet all = new BitSet();
            for (int chunk = 0; chunk < chunks; chunk++) {
                int owner = ownerAt(chunk, time, past.tooShort());
                assertThat(past.table().owner(chunk))
                        .as("chunk %d at %d", chunk, time)
                        .isEqualTo(owner);
                all.set(owner);
            }
            assertThat(past.table().owningShards()).isEqualTo(ShardSet.of(all));
            int from = random.nextInt(chunks);
            BitSet some = new BitSet();
            for (int chunk = from; chunk < chunks; chunk++) {
                some.set(past.table().owner(chunk));
            }
            assertThat(past.table().owners(from, chunks - 1)).isEqualTo(ShardSet.of(some));
        }
    }

    @Test
    void isNotFollowedWhereTooMuchHasMoved() {
        int chunks = 40_000;
        RoutingTable table = table(chunks, 4_000, new Random(8));
        PastPlacement past = table.at(new BsonTimestamp(700, 0).getValue());
        assertThat(past.followed()).isFalse();
        for (int chunk = 0; chunk < chunks; chunk++) {
            int owner = ownerAt(chunk, 700, -1);
            assertThat(owner < 0 || table.everOwned().contains(owner)).isTrue();
        }
        assertThat(table.at(new BsonTimestamp(NEWEST, 0).getValue()).followed()).isTrue();
    }

    @Test
    void isFollowedWhereLittleHasMovedOfMuch() {
        RoutingTable table = table(100_000, 50, new Random(9));
        assertThat(table.at(new BsonTimestamp(700, 0).getValue()).followed()).isTrue();
    }
}
