package io.scatterguard.proxy.summary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.reports.Finding;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** What is told apart is bounded, and sums are whole all the same; which numbers of a process are missing. */
class SummaryBoundsTest {
    private static final Instant AT = Instant.parse("2026-12-01T10:00:00Z");
    private static final Sums ONE = new Sums(1, 0, 0, 0, 10, 30);

    @Test
    void furtherNamesAreAddedUpTogether() {
        Breakdown names = new Breakdown();
        for (int i = 0; i < Breakdown.MAX_NAMES + 5; i++) {
            names.add("name-" + i, ONE);
        }
        names.add("name-3", ONE);
        names.add("", ONE);
        Ranking ranking = names.ranking(1, Sums.BY_COST);
        assertThat(ranking.rows()).hasSize(1);
        assertThat(ranking.rows().get(0).name()).isEqualTo("name-3");
        assertThat(ranking.rows().get(0).sums().findings()).isEqualTo(2);
        assertThat(ranking.otherNames()).isEqualTo(Breakdown.MAX_NAMES - 1);
        assertThat(ranking.other().findings()).isEqualTo(Breakdown.MAX_NAMES + 4);
        assertThat(ranking.unnamed()).isEqualTo(ONE);
    }

    /** A period hides what came before it, but does not make it new. */
    @Test
    void whatWasThereBeforeThePeriodIsNotNew() throws Exception {
        LocalDate day = LocalDate.of(2026, 11, 24);
        SummaryTally tally = new SummaryTally(new Scope(day, null, day, namespace -> true));
        tally.add(finding("2026-11-20T10:00:00Z", "00000000000000aa"));
        tally.add(finding("2026-11-25T10:00:00Z", "00000000000000aa"));
        tally.add(finding("2026-11-25T10:00:00Z", "00000000000000bb"));
        tally.add(
                new ObjectMapper()
                        .readTree(
                                "{\"gap\":{\"from\":4,\"to\":4,\"count\":1},\"ts\":\"2026-11-25T11:00:00Z\",\"instance\":\"a\"}"));
        Summary summary = tally.summary(10, null, LocalDate.of(2026, 12, 1));
        assertThat(summary.shapes().all()).isEqualTo(2);
        assertThat(summary.read().outside()).isOne();
        assertThat(summary.read().lostShare())
                .as("of the three records of these days")
                .isEqualTo(1 / 3.0);
        assertThat(summary.shapes().fresh()).extracting(Finding::id).containsExactly("00000000000000bb");
    }

    /** A damaged time makes a long period, and no more. */
    @Test
    void aPeriodOfCenturiesIsOneToo() throws Exception {
        SummaryTally tally = new SummaryTally(Scope.everything());
        tally.add(finding("1600-01-01T00:00:00Z", "00000000000000aa"));
        tally.add(finding("2026-11-25T10:00:00Z", "00000000000000aa"));
        Summary summary = tally.summary(10, null, LocalDate.of(2026, 12, 1));
        assertThat(summary.busyShards(1_000)).isBetween(0.0, 1e-9);
        assertThat(summary.perHour(2)).isBetween(0.0, 1e-3);
    }

    private static JsonNode finding(String at, String id) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree("{\"seq\":1,\"ts\":\"" + at + "\",\"instance\":\"a\",\"db\":\"shop\",\"coll\":\"orders\","
                        + "\"command\":\"find\",\"shape\":{\"text\":\"find {}\",\"hash\":\"" + id + "\"},\"route\":"
                        + "{\"shardCount\":3},\"verdict\":{\"action\":\"log\"},\"micros\":{\"server\":5}}");
    }

    @Test
    void longNamesAreCut() {
        assertThat(Breakdown.cut("n".repeat(256))).hasSize(256).doesNotContain("…");
        assertThat(Breakdown.cut("n".repeat(257))).hasSize(256).endsWith("…");
    }

    @Test
    void daysWithoutRecordsAreListedAndFarOnesAreNot() {
        DayTally days = new DayTally();
        LocalDate first = LocalDate.of(2026, 11, 28);
        days.add(first, 1, ONE, 0);
        days.add(first.plusDays(3), 1, ONE, 2);
        days.add(null, 1, ONE, 0);
        assertThat(days.all()).extracting(Summary.Day::commands).containsExactly(1L, 0L, 0L, 1L, 1L);
        days.add(LocalDate.of(9999, 1, 1), 1, ONE, 0);
        assertThat(days.all()).as("not eight thousand years").hasSize(4);
        for (int i = 0; i < DayTally.MAX_DAYS; i++) {
            days.add(first.minusDays(i), 1, Sums.NONE, 0);
        }
        assertThat(days.all()).hasSize(DayTally.MAX_DAYS + 1);
        assertThat(days.all().stream().mapToLong(Summary.Day::commands).sum()).isEqualTo(4 + DayTally.MAX_DAYS);
    }

    @Test
    void numbersThatComeLateAreNotMissing() {
        SequenceRun run = new SequenceRun(5, 5, AT);
        assertThat(run.take(9, 9, AT)).isTrue();
        assertThat(run.missing()).isEqualTo(3);
        assertThat(run.take(7, 7, AT)).isTrue();
        assertThat(run.missing()).isEqualTo(2);
        assertThat(run.take(7, 7, AT)).as("twice").isFalse();
        assertThat(run.take(8, 8, AT)).isTrue();
        assertThat(run.take(6, 6, AT)).isTrue();
        assertThat(run.missing()).isZero();
        assertThat(run.take(10, 20, AT)).as("a gap").isTrue();
        assertThat(run.take(15, 15, AT)).isFalse();
    }

    /** A process that is started anew begins later, with numbers that were given before; a record that comes twice does not. */
    @Test
    void aProcessThatBeganAnewIsAnother() {
        SequenceRun run = new SequenceRun(3, 9, AT);
        assertThat(run.isAnother(4, AT.plusSeconds(1))).isTrue();
        assertThat(run.isAnother(1, AT)).isTrue();
        assertThat(run.isAnother(4, AT)).isFalse();
        assertThat(run.isAnother(4, AT.minusSeconds(1))).isFalse();
        assertThat(run.isAnother(4, null)).isFalse();
    }

    @Test
    void figuresDoNotLookLikeNothing() {
        assertThat(Figures.percent(0)).isEqualTo("0.0 %");
        assertThat(Figures.percent(0.0001)).isEqualTo("< 0.1 %");
        assertThat(Figures.time(999_999)).isEqualTo("1000.0 ms");
        assertThat(Figures.time(119_000_000L)).isEqualTo("119.0 s");
        assertThat(Figures.time(840_000_000L)).isEqualTo("14.0 min");
        assertThat(Figures.time(36_000_000_000L)).isEqualTo("10.0 h");
        assertThat(Figures.decimal(0.00796)).isEqualTo("0.0080");
        assertThat(Figures.decimal(1234.56)).isEqualTo("1,234.6");
    }
}
