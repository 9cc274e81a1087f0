package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.fuzz.FuzzRun.Counterexample;
import io.scatterguard.tests.fuzz.Oracle.Rules;
import io.scatterguard.tests.fuzz.RouterUnderTest.Prediction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Routers that are wrong on purpose: each is caught by the property that should catch it, and by no other. */
class FuzzerFindsFaultsTest {
    private static final RouterUnderTest REAL = new KeyRouterUnderTest();

    private static RouterUnderTest changed(UnaryOperator<Prediction> change) {
        return (c, releases) -> REAL.predict(c, releases).stream().map(change).toList();
    }

    private static Optional<Counterexample> search(Property property, RouterUnderTest router, boolean proven) {
        return new FuzzRun(7, 10_000, proven).search(property, router, new Tally());
    }

    private static boolean isSound(RouterUnderTest router) {
        return search(new Soundness(), router, true).isEmpty();
    }

    private static boolean isTight(RouterUnderTest router) {
        return search(new Tightness(), router, false).isEmpty();
    }

    @Test
    void theRealRouterIsBoth() {
        assertThat(isSound(REAL)).isTrue();
        assertThat(isTight(REAL)).isTrue();
    }

    @Test
    void aRouterThatForgetsAShardIsNeither() {
        RouterUnderTest forgetful = changed(p -> {
            TreeSet<String> shards = new TreeSet<>(p.shards());
            if (shards.size() > 1) {
                shards.pollLast();
            }
            return new Prediction(shards, p.exact(), p.error());
        });
        assertThat(isSound(forgetful)).isFalse();
        assertThat(isTight(forgetful)).isFalse();
    }

    @Test
    void aRouterThatAlwaysNamesEveryShardIsNotTight() {
        RouterUnderTest timid = (c, releases) -> releases.stream()
                .map(r -> new Prediction(c.layout().owning(), true, ""))
                .toList();
        assertThat(isSound(timid)).isTrue();
        assertThat(isTight(timid)).isFalse();
    }

    @Test
    void aRouterThatHonoursOpenEndsIsNotTight() {
        Oracle precise = new Oracle(new Rules(false, false, false, true));
        RouterUnderTest router = (c, releases) -> releases.stream()
                .map(r -> new Prediction(precise.answer(c).shards().iterator().next(), true, ""))
                .toList();
        assertThat(isSound(router)).isTrue();
        assertThat(isTight(router)).isFalse();
    }

    @Test
    void aRouterThatDoesNotKnowCollationsIsNeither() {
        RouterUnderTest simple = (c, releases) -> {
            Layout layout = c.layout();
            Layout plain = new Layout(layout.key(), layout.chunks(), layout.registry(), null);
            return REAL.predict(c.collated(null).with(plain), releases);
        };
        assertThat(isSound(simple)).isFalse();
        assertThat(isTight(simple)).isFalse();
    }

    @Test
    void whatIsFoundIsShrunkToWhatMatters() {
        RouterUnderTest blind = changed(p -> new Prediction(Set.of("s1"), true, p.error()));
        Counterexample found = search(new Soundness(), blind, true).orElseThrow();
        Counterexample smallest = new Shrinker(new Soundness(), blind).shrink(found);
        assertThat(smallest.c().layout().chunks()).hasSize(1);
        assertThat(smallest.c().layout().key()).hasSize(1);
        assertThat(smallest.c().documents()).hasSize(1);
        assertThat(smallest.c().filter()).hasSize(1);
        assertThat(smallest.c().releases()).isEqualTo(List.of("6.3"));
    }
}
