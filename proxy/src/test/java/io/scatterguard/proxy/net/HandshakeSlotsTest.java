package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handshakes begin in order, as many as there are places. */
class HandshakeSlotsTest {
    private final HandshakeSlots slots = new HandshakeSlots(2);
    private final List<String> begun = new ArrayList<>();

    private Runnable begin(String name) {
        return () -> begun.add(name);
    }

    @Test
    void whoFindsNoneFreeWaitsInOrder() {
        for (String name : List.of("a", "b", "c", "d")) {
            slots.take(begin(name));
        }
        assertThat(begun).containsExactly("a", "b");
        slots.giveBack();
        assertThat(begun).containsExactly("a", "b", "c");
        slots.giveBack();
        assertThat(begun).containsExactly("a", "b", "c", "d");
        assertThat(slots.taken()).isEqualTo(2);
        slots.giveBack();
        slots.giveBack();
        assertThat(slots.taken()).isZero();
    }

    @Test
    void whoWentAwayWhileWaitingIsPassedOver() {
        Runnable gone = begin("gone");
        slots.take(begin("a"));
        slots.take(begin("b"));
        slots.take(gone);
        slots.take(begin("c"));
        assertThat(slots.cancel(gone)).isTrue();
        assertThat(slots.cancel(gone)).as("twice").isFalse();
        slots.giveBack();
        assertThat(begun).containsExactly("a", "b", "c");
        assertThat(slots.waiting()).isZero();
    }

    @Test
    void thereIsAtLeastOne() {
        assertThatThrownBy(() -> new HandshakeSlots(0)).hasMessage("maxTlsHandshakes: 0 (expected: at least 1)");
    }
}
