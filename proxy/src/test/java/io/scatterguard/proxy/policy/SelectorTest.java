package io.scatterguard.proxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.ClientMatchConfig;
import io.scatterguard.proxy.config.SelectorConfig;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
    @ParameterizedTest
    @CsvSource({
        "ann, ann, shop, true",
        "ann, ann, , true",
        "ann, bob, shop, false",
        "an*, ann, shop, true",
        "*, , shop, false",
        "ann@shop, ann, shop, true",
        "ann@shop, ann, admin, false",
        "ann@shop, ann, , false",
        "ann@shop, , shop, false",
        "*@admin, ann, admin, true",
        "*@admin, ann, admin2, false",
        "ann@*, ann, shop, true",
        "ann@*, ann2, shop, false",
        "ann@corp@$external, ann@corp, $external, true",
        "*@*, ann, , false",
        "ann*, ann@corp, $external, true",
    })
    void aGlobWithAnAtIsOnTheUserAndItsDatabase(String glob, String user, String database, boolean matches) {
        Selector selector = new Selector(new SelectorConfig(
                List.of(), List.of(), new ClientMatchConfig(null, glob, null, List.of()), List.of(), null));

        assertThat(selector.matchesUser(user, database)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({"ann, shop", ", shop", "ann, ", ","})
    void noGlobMeansEverybody(String user, String database) {
        assertThat(new Selector(SelectorConfig.ALL).matchesUser(user, database)).isTrue();
    }
}
