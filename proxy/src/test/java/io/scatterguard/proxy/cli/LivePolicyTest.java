package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.routing.KeyRouter;
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
        live.judge(new KeyRouter(), CatalogSnapshot::empty);
        live.judge(new KeyRouter(), CatalogSnapshot::empty);
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
        assertThat(live.isSet()).isTrue();
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
        assertThat(live.isSet()).isFalse();
        assertThat(live.version()).isOne();
        assertThat(live.set(FIRST, Mode.OBSERVE)).isTrue();
        assertThat(live.mode(0)).isEqualTo(Mode.OBSERVE);
    }

    /** Whoever needs the way out while the process starts does not have to wait for that. */
    @Test
    void aModeThatIsSetBeforeItListensHoldsFromTheFirstCommandOn() {
        LivePolicy live = new LivePolicy(config("observe", ""), UnaryOperator.identity());
        assertThat(live.set(SECOND, Mode.BYPASS)).isTrue();
        assertThat(live.set(new HostAndPort("127.0.0.1", 1003), Mode.BYPASS)).isFalse();
        assertThat(live.isBypassed(1)).isTrue();
        assertThat(live.isBypassed(0)).isFalse();
        assertThat(live.judge(new KeyRouter(), CatalogSnapshot::empty).isBypassed())
                .isFalse();
        assertThat(live.judge(new KeyRouter(), CatalogSnapshot::empty).isBypassed())
                .isTrue();
        assertThat(live.mode(1)).isEqualTo(Mode.BYPASS);
        live.set(null, null);
        assertThat(live.isBypassed(1)).isFalse();
    }
}
