package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    private static byte[] key(int value) {
        return KeyBytes.of(BsonValueView.of(new BsonInt32(value)));
    }

    private static Intervals closed(int low, int high) {
        return Intervals.of(Interval.closed(key(low), key(high)));
    }

    private static Interval open(int low, int high) {
        return new Interval(key(low), false, key(high), false);
    }

    @Test
    void touchingIntervalsJoinOnlyIfTheirCommonEndIsIncluded() {
        Intervals joined = Intervals.union(new ArrayList<>(List.of(Interval.closed(key(1), key(2)), open(2, 3))));
        Intervals apart = Intervals.union(new ArrayList<>(List.of(open(1, 2), open(2, 3))));
        assertThat(joined.size()).isEqualTo(1);
        assertThat(apart.size()).isEqualTo(2);
    }

    @Test
    void anIntervalWithoutValuesDisappears() {
        assertThat(Intervals.of(open(5, 5)).isEmpty()).isTrue();
        assertThat(Intervals.of(Interval.point(key(5))).isEmpty()).isFalse();
        assertThat(closed(7, 6).isEmpty()).isTrue();
    }

    @Test
    void theIntersectionHoldsWhatIsInBoth() {
        assertThat(closed(1, 5).intersect(closed(5, 9)).isSinglePoint()).isTrue();
        assertThat(closed(1, 4).intersect(closed(5, 9)).isEmpty()).isTrue();
        assertThat(Intervals.EVERYTHING.intersect(closed(1, 4)).lowest()).isEqualTo(key(1));
    }

    @Test
    void theComplementOfAPointReachesEveryChunk() {
        Intervals complement = closed(5, 5).complement();
        assertThat(complement.size()).isEqualTo(2);
        assertThat(complement.coversEverything()).isTrue();
        assertThat(closed(5, 6).complement().coversEverything()).isFalse();
    }

    @Test
    void theComplementOfNullHasNoGapBesideUndefined() {
        assertThat(Intervals.NULLISH.complement().size()).isEqualTo(2);
        assertThat(Intervals.NULLISH.complement().coversEverything()).isTrue();
    }

    @Test
    void nothingAndEverythingAreEachOthersComplement() {
        assertThat(Intervals.NONE.complement().coversEverything()).isTrue();
        assertThat(Intervals.EVERYTHING.complement().isEmpty()).isTrue();
    }
}
