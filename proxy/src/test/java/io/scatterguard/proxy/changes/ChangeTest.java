package io.scatterguard.proxy.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.policy.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTest {
    /** For instance {@code MULTI_SHARD 2 ALLOW}, or {@code WOULD_FAIL 0 LOG InvalidOptions}. */
    private static Fate fate(String text) {
        String[] words = text.split(" ");
        return new Fate(
                Way.valueOf(words[0]),
                Integer.parseInt(words[1]),
                3,
                true,
                Action.valueOf(words[2]),
                words.length > 3 ? words[3] : null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "SINGLE_SHARD 1 ALLOW -> SINGLE_SHARD 1 ALLOW -> UNCHANGED",
                "SINGLE_SHARD 1 ALLOW -> SCATTER_GATHER 3 LOG -> NEWLY_BROADCAST",
                "UNSHARDED 1 ALLOW -> SCATTER_GATHER 1 LOG -> NEWLY_BROADCAST",
                "MULTI_SHARD 2 ALLOW -> TWO_PHASE 2 ALLOW -> NEWLY_BROADCAST",
                "SINGLE_SHARD 1 ALLOW -> TWO_PHASE 1 ALLOW -> MORE_SHARDS",
                "SCATTER_GATHER 3 LOG -> WOULD_FAIL 0 LOG TooMany -> NEWLY_FAILING",
                "SINGLE_SHARD 1 ALLOW -> SINGLE_SHARD 1 REFUSE -> NEWLY_REFUSED",
                "SINGLE_SHARD 1 ALLOW -> MULTI_SHARD 2 ALLOW -> MORE_SHARDS",
                "SINGLE_SHARD -1 ALLOW -> MULTI_SHARD -1 ALLOW -> MORE_SHARDS",
                "SCATTER_GATHER 3 LOG -> SCATTER_GATHER 6 LOG -> MORE_SHARDS",
                "WOULD_FAIL 0 LOG A -> TWO_PHASE 3 ALLOW -> NO_LONGER_FAILING",
                "WOULD_FAIL 0 LOG A -> SCATTER_GATHER 3 REFUSE -> NEWLY_REFUSED",
                "WOULD_FAIL 0 LOG A -> WOULD_FAIL 0 LOG B -> OTHERWISE",
                "SCATTER_GATHER 3 LOG -> SINGLE_SHARD 1 ALLOW -> NO_LONGER_BROADCAST",
                "SCATTER_GATHER 3 REFUSE -> SCATTER_GATHER 3 LOG -> IMPROVED",
                "MULTI_SHARD 3 ALLOW -> MULTI_SHARD 2 ALLOW -> IMPROVED",
                "UNSHARDED 1 ALLOW -> SINGLE_SHARD 1 ALLOW -> OTHERWISE",
                "SCATTER_GATHER 3 LOG -> TWO_PHASE 3 LOG -> OTHERWISE",
                "MULTI_SHARD 2 ALLOW -> MULTI_SHARD 2 LOG -> OTHERWISE",
            })
    void theMostHarmfulDifferenceNamesTheChange(String before, String after, Change change) {
        assertThat(Change.between(fate(before), fate(after))).isEqualTo(change);
    }

    @Test
    void onlyWhatIsWorseAsksForALook() {
        assertThat(Change.values())
                .filteredOn(Change::isWorse)
                .containsExactly(
                        Change.NEWLY_BROADCAST, Change.NEWLY_FAILING, Change.NEWLY_REFUSED, Change.MORE_SHARDS);
    }

    @Test
    void everyWordIsDescribed() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "rehearsal.md"));
        assertThat(Change.values())
                .filteredOn(change -> change != Change.UNCHANGED)
                .allSatisfy(change -> assertThat(manual).contains("| `" + change.text() + "` |"));
        assertThat(Way.values()).allSatisfy(way -> assertThat(manual).contains("`" + way.text() + "`"));
    }

    private static Compared compared(String id, String before, String after, boolean continued) {
        Fate was = fate(before);
        Fate is = fate(after);
        return new Compared(
                new Compared.Subject(id, "shop.orders", "find", "find {}"),
                Change.between(was, is),
                was,
                is,
                new Compared.Advice("because.", "", "unowned"),
                Instant.parse("2026-12-01T10:20:30Z"),
                1_000,
                continued);
    }

    /** Lists of values reach now this many shards and now that: one row, with the largest number as an upper bound. */
    @Test
    void commandsOfAShapeThatDifferInShardsAreOneRow() {
        ChangesTally tally = new ChangesTally(Set.of());
        tally.add(compared("aa", "MULTI_SHARD 2 ALLOW", "SCATTER_GATHER 3 LOG", false));
        tally.add(compared("aa", "MULTI_SHARD 1 ALLOW", "SCATTER_GATHER 3 LOG", false));
        tally.add(compared("aa", "MULTI_SHARD 1 ALLOW", "SCATTER_GATHER 3 LOG", true));
        Changes changes = tally.changes("", "");
        assertThat(changes.rows()).hasSize(1);
        Changes.Row row = changes.rows().get(0);
        assertThat(row.before().shards()).isEqualTo(2);
        assertThat(row.before().exact()).isFalse();
        assertThat(row.after().exact()).isTrue();
        assertThat(row.seen().times()).isEqualTo(2);
        assertThat(row.seen().shardMicrosBefore()).isEqualTo(4_000);
        assertThat(row.seen().shardMicrosAfter()).isEqualTo(9_000);
    }

    /** A shape of which one command changes and another does not is one that changes. */
    @Test
    void theHarmfulComeFirstAndAShapeIsCountedOnce() {
        ChangesTally tally = new ChangesTally(Set.of("cc"));
        tally.add(compared("aa", "MULTI_SHARD 3 ALLOW", "MULTI_SHARD 2 ALLOW", false));
        tally.add(compared("aa", "MULTI_SHARD 2 ALLOW", "MULTI_SHARD 2 ALLOW", false));
        tally.add(compared("bb", "SINGLE_SHARD 1 ALLOW", "SINGLE_SHARD 1 ALLOW", false));
        tally.add(compared("cc", "SINGLE_SHARD 1 ALLOW", "MULTI_SHARD 2 ALLOW", false));
        tally.add(compared("dd", "SINGLE_SHARD 1 ALLOW", "SCATTER_GATHER 3 ALLOW", false));
        Changes changes = tally.changes("", "");
        assertThat(changes.rows().stream().map(row -> row.subject().id())).isEqualTo(List.of("dd", "cc", "aa"));
        assertThat(changes.totals()).isEqualTo(new Changes.Totals(5, 3, 1, 0));
        assertThat(changes.worse()).isEqualTo(2);
        assertThat(changes.fresh()).as("the other is in the baseline").isOne();
    }
}
