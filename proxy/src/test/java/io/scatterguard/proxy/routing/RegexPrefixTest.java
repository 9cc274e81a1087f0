package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexPrefixTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "^abc; ''; abc",
                "abc; ''; ''",
                "\\Aabc; ''; abc",
                "\\Aabc; m; abc",
                "^abc; m; ''",
                "^abc; s; abc",
                "^abc; i; ''",
                "^ab c; x; abc",
                "^ab#c; x; ab",
                "^ab+; ''; ab",
                "^ab*; ''; a",
                "^ab?c; ''; a",
                "^a?; ''; ''",
                "^a.b; ''; a",
                "^a\\.b; ''; a.b",
                "^a\\d; ''; a",
                "^\\Qa.b\\Ec; ''; a.bc",
                "^a|b; ''; ''",
                "^a\\|b; ''; a|b",
                "^a\\\\|b; ''; ''",
                "^a(b); ''; a",
                "^; ''; ''",
            })
    void isTheLiteralBeginning(String pattern, String options, String prefix) {
        assertThat(new String(RegexPrefix.of(pattern, options), StandardCharsets.UTF_8))
                .isEqualTo(prefix);
    }
}
