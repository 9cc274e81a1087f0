package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadPatienceTest {
    private long nanos;
    private final LoadPatience patience = new LoadPatience(() -> nanos);

    private static List<Namespace> named(String name) {
        return List.of(new Namespace("shop", name));
    }

    @Test
    void manyThatWaitForTheSameAreOneFailure() {
        for (int i = 0; i < 100; i++) {
            patience.failed(named("slow"));
        }
        assertThat(patience.mayWaitFor(named("slow"))).isFalse();
        assertThat(patience.mayWaitFor(named("other"))).isTrue();
    }

    @Test
    void oneThatIsLoadedEndsARowAndOpensTheWayForAll() {
        patience.failed(named("a"));
        patience.failed(named("b"));
        patience.loaded(named("c"));
        patience.failed(named("d"));
        assertThat(patience.mayWaitFor(named("e"))).isTrue();
        patience.failed(named("f"));
        patience.failed(named("g"));
        assertThat(patience.mayWaitFor(named("e"))).isFalse();
        patience.loaded(named("a"));
        assertThat(patience.mayWaitFor(named("e"))).isTrue();
        assertThat(patience.mayWaitFor(named("a"))).isTrue();
        assertThat(patience.mayWaitFor(named("b"))).isFalse();
    }

    @Test
    void aPauseAloneIsNoFailure() {
        for (String name : List.of("a", "b", "c", "d")) {
            patience.pause(named(name));
            assertThat(patience.mayWaitFor(named(name))).isFalse();
        }
        assertThat(patience.mayWaitFor(named("e"))).isTrue();
        nanos += LoadPatience.PAUSE.toNanos() - 1;
        assertThat(patience.mayWaitFor(named("a"))).isFalse();
        nanos++;
        assertThat(patience.mayWaitFor(named("a"))).isTrue();
    }

    @Test
    void theOldestOfManyIsForgotten() {
        for (int i = 0; i <= LoadPatience.MAX_NAMESPACES; i++) {
            patience.pause(named("c" + i));
        }
        assertThat(patience.mayWaitFor(named("c0"))).isTrue();
        assertThat(patience.mayWaitFor(named("c1"))).isFalse();
    }
}
