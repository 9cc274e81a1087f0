package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.session.InternalErrorBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LivePolicyTest {
    private static final HostAndPort FIRST = new HostAndPort("127.0.0.1", 1001);
    private static final HostAndPort SECOND = new HostAndPort("127.0.0.1", 1002);

    /** Two listeners; {@code second} is the mode of the latter, {@code policy} the rest of the policy. */
    private static ScatterguardConfig config(String second, String policy) {
        return ConfigReader.read("""
                listeners:
                  - { bind: "127.0.0.1:1001", upstream: { hosts: [a] } }
                  - { bind: "127.0.0.1:1002", upstream: { hosts: [a] }, mode: %s }
                policy: { mode: enforce%s }
                """.formatted(second, policy), Map.of());
    }

    private static LivePolicy live(ScatterguardConfig config) {
        LivePolicy live = new LivePolicy(config, UnaryOperator.identity());
        live.judge(0, new KeyRouter(), CatalogSnapshot::empty);
        live.judge(1, new KeyRouter(), CatalogSnapshot::empty);
        return live;
    }

    @Test
    void aListenerMayHaveAModeOfItsOwn() {
        LivePolicy live = live(config("bypass", ""));
        assertThat(live.mode(0)).isEqualTo(Mode.ENFORCE);
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
        assertThat(live.isBypassed(0)).isFalse();
        assertThat(live.isBypassed(1)).isTrue();
        assertThat(live.version()).isOne();
    }

    /** What was set holds over edits until it is taken back. */
    @Test
    void aModeThatIsSetHoldsOverTheConfiguration() {
        LivePolicy live = live(config("observe", ""));
        assertThat(live.set(SECOND, Mode.BYPASS)).isTrue();
        assertThat(live.isBypassed(0)).isFalse();
        assertThat(live.isBypassed(1)).isTrue();
        assertThat(live.version()).isEqualTo(2);
        live.configure(config("enforce", ""));
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
        assertThat(live.set(SECOND, null)).isTrue();
        assertThat(live.mode(1)).isEqualTo(Mode.ENFORCE);
        assertThat(live.set(null, Mode.BYPASS)).isTrue();
        assertThat(live.isBypassed(0)).isTrue();
        assertThat(live.isBypassed(1)).isTrue();
    }

    @Test
    void onlyAChangeHasANewVersion() {
        LivePolicy live = live(config("observe", ""));
        live.configure(config("observe", ""));
        assertThat(live.version()).isOne();
        live.configure(config("observe", ", default: { reads: refuse }"));
        assertThat(live.version()).isEqualTo(2);
        live.configure(config("enforce", ", default: { reads: refuse }"));
        assertThat(live.version()).isEqualTo(3);
    }

    @Test
    void aListenerThatIsNotThereIsNotSet() {
        LivePolicy live = live(config("observe", ""));
        assertThat(live.set(new HostAndPort("127.0.0.1", 1003), Mode.BYPASS)).isFalse();
        assertThat(live.isBypassed(0)).isFalse();
        assertThat(live.version()).isOne();
        assertThat(live.set(FIRST, Mode.OBSERVE)).isTrue();
        assertThat(live.mode(0)).isEqualTo(Mode.OBSERVE);
    }

    /** An edit of the list waits for a start; until then each listener is the one it was started as. */
    @Test
    void aListenerHasTheModeOfItsOwnEntryWhereverThatStands() {
        LivePolicy live = live(config("observe", ""));
        live.configure(ConfigReader.read("""
                listeners:
                  - { bind: "127.0.0.1:1003", upstream: { hosts: [a] }, mode: bypass }
                  - { bind: "127.0.0.1:1002", upstream: { hosts: [a] }, mode: bypass }
                policy: { mode: enforce }
                """, Map.of()));
        assertThat(live.mode(0)).as("not in the list any more").isEqualTo(Mode.ENFORCE);
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
        assertThat(live.set(new HostAndPort("127.0.0.1", 1003), Mode.ENFORCE)).isFalse();
        assertThat(live.set(FIRST, Mode.OBSERVE)).isTrue();
        assertThat(live.mode(0)).isEqualTo(Mode.OBSERVE);
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
    }

    /** The signal is the way out whatever else was set, and a second one the way back. */
    @Test
    void theSignalTurnsBypassOnWhateverWasSet() {
        LivePolicy live = live(config("observe", ""));
        live.set(null, Mode.OBSERVE);
        live.set(SECOND, Mode.BYPASS);
        live.toggleBypass();
        assertThat(live.isBypassed(0)).isTrue();
        assertThat(live.isBypassed(1)).isTrue();
        live.toggleBypass();
        assertThat(live.mode(0)).isEqualTo(Mode.ENFORCE);
        assertThat(live.mode(1)).isEqualTo(Mode.OBSERVE);
    }

    /** Ten faults turned judging off at both; only where somebody changes something it is tried again. */
    @Test
    void aModeSetAtOneListenerDoesNotTryTheOtherAgain() {
        ScatterguardConfig config = config("observe", "");
        List<InternalErrorBreaker> breakers = new ArrayList<>();
        LivePolicy live = new LivePolicy(config, UnaryOperator.identity(), () -> {
            breakers.add(new InternalErrorBreaker(System::nanoTime));
            return breakers.get(breakers.size() - 1);
        });
        live.judge(0, new KeyRouter(), CatalogSnapshot::empty);
        live.judge(1, new KeyRouter(), CatalogSnapshot::empty);
        for (int i = 0; i < 10; i++) {
            breakers.forEach(breaker -> breaker.record(new IllegalStateException("a fault"), "find", "forwarded"));
        }
        assertThat(live.isBypassed(0)).isTrue();
        assertThat(live.isBypassed(1)).isTrue();
        live.set(SECOND, Mode.ENFORCE);
        assertThat(live.isBypassed(0)).isTrue();
        assertThat(live.isBypassed(1)).isFalse();
        live.configure(config("observe", ", default: { reads: refuse }"));
        assertThat(live.isBypassed(0)).isFalse();
    }

    /** Whoever needs the way out while the process starts does not have to wait for that. */
    @Test
    void aModeThatIsSetBeforeItListensHoldsFromTheFirstCommandOn() {
        LivePolicy live = new LivePolicy(config("observe", ""), UnaryOperator.identity());
        assertThat(live.set(SECOND, Mode.BYPASS)).isTrue();
        assertThat(live.set(new HostAndPort("127.0.0.1", 1003), Mode.BYPASS)).isFalse();
        assertThat(live.isBypassed(1)).isTrue();
        assertThat(live.isBypassed(0)).isFalse();
        assertThat(live.judge(0, new KeyRouter(), CatalogSnapshot::empty).isBypassed())
                .isFalse();
        assertThat(live.judge(1, new KeyRouter(), CatalogSnapshot::empty).isBypassed())
                .isTrue();
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
        live.set(null, null);
        assertThat(live.isBypassed(1)).isFalse();
    }
}
