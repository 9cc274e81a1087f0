package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.routing.KeyRouter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code catalog.onUnknown} decides wherever nothing is known of a namespace, for whatever reason, and nowhere else. */
class OnUnknownTest {
    private static final String FIND = "{find: 'c', filter: {a: 1}, $db: 'shop'}";

    /** Why nothing is known. */
    private enum Lack {
        NOTHING_EVER_LOADED,
        NOT_LOADED_IN_TIME,
        COULD_NOT_BE_HAD,
        LOAD_FAILED,
        LOAD_THREW,
        BROKEN
    }

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    static Stream<Arguments> everything() {
        return Stream.of(OnUnknown.values())
                .flatMap(setting -> Stream.of(Lack.values()).map(lack -> Arguments.of(setting, lack)));
    }

    @ParameterizedTest
    @MethodSource("everything")
    void decidesOnWhatIsUnknown(OnUnknown setting, Lack lack) {
        SessionFixture f = judging(setting);
        prepare(f.catalog, lack);
        f.request(1, FIND);
        end(f, lack);
        boolean refused = setting == OnUnknown.REFUSE;
        assertThat(f.server.requestIds()).isEqualTo(refused ? List.of() : List.of(1));
        assertThat(f.verdicts.get(f.verdicts.size() - 1).reason()).isEqualTo(Reasons.CATALOG_UNKNOWN);
        if (refused) {
            assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        }
    }

    private static void prepare(FakeCatalog catalog, Lack lack) {
        switch (lack) {
            case NOTHING_EVER_LOADED -> catalog.incomplete();
            case NOT_LOADED_IN_TIME, COULD_NOT_BE_HAD, LOAD_FAILED -> catalog.without("shop.c");
            case LOAD_THREW -> {
                catalog.without("shop.c");
                catalog.fault = new IllegalStateException("broken");
            }
            case BROKEN -> catalog.withBroken("shop.c");
        }
    }

    private static void end(SessionFixture f, Lack lack) {
        switch (lack) {
            case NOT_LOADED_IN_TIME -> f.loop.pass(FakeCatalog.LOAD_TIMEOUT);
            case COULD_NOT_BE_HAD -> f.catalog.endLoads();
            case LOAD_FAILED -> f.catalog.failLoads();
            case NOTHING_EVER_LOADED, LOAD_THREW, BROKEN -> {}
        }
        f.loop.run();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void andNotOnWhatIsKnown(OnUnknown setting, Lack lack) {
        if (lack == Lack.NOTHING_EVER_LOADED) {
            return;
        }
        SessionFixture f = judging(setting);
        prepare(f.catalog, lack);
        f.request(1, "{find: 'd', filter: {a: 1}, $db: 'shop'}");
        assertThat(f.server.requestIds()).containsExactly(1);
    }

    private static SessionFixture judging(OnUnknown setting) {
        SessionFixture f = SessionFixture.connected();
        f.router = new KeyRouter();
        String file = """
                listeners: [{upstream: {hosts: [a]}}]
                policy: {mode: enforce, default: {reads: allow, writes: allow}}
                """;
        f.policy = CompiledPolicy.compile(ConfigReader.read(file, Map.of()).policy(), setting, 1);
        return f;
    }
}
