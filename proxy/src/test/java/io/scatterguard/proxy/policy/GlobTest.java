package io.scatterguard.proxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "shop.orders, shop.orders, true",
        "shop.orders, shop.order, false",
        "shop.orders, shop.orders2, false",
        "shop.orders, shop.Orders, false",
        "shop.orders, shopXorders, false",
        "shop, shop, true",
        "shop, shop.orders, false",
        "shop.*, shop.a.b, true",
        "shop.*, shop, false",
        "shop.*, shop2.a, false",
        "shop*, shop, true",
        "*, shop.a, true",
        "*.a, shop.a, true",
        "*.a, shop.b.a, true",
        "*.a, shop.ab, false",
        "s?op.a, shop.a, true",
        "s?op.a, sop.a, false",
        "shop?a, shop.a, true",
        "a.b.c, a.b.c, true"
    })
    void matchesNamesAndNamespacesAlike(String pattern, String name, boolean expected) {
        assertThat(new Glob(pattern).matches(name)).isEqualTo(expected);
        assertThat(new Glob(pattern).matches(Namespace.parse(name))).isEqualTo(expected);
    }

    @Test
    void agreesWithTheDefinition() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int matched = 0;
        for (int i = 0; i < 200_000; i++) {
            String pattern = word(random, "ab.*?", 8);
            String text = word(random, "ab.", 8);
            boolean expected = naive(pattern, text);
            matched += expected ? 1 : 0;

            assertThat(new Glob(pattern).matches(text))
                    .as("%s on %s, seed %d", pattern, text, seed)
                    .isEqualTo(expected);
            if (!text.endsWith(".") || text.indexOf('.') < text.length() - 1) {
                assertThat(new Glob(pattern).matches(Namespace.parse(text)))
                        .as("%s on namespace %s, seed %d", pattern, text, seed)
                        .isEqualTo(expected);
            }
        }
        assertThat(matched).as("seed %d", seed).isBetween(1_000, 199_000);
    }

    /** Without bookkeeping this takes longer than the universe will. */
    @Test
    void manyStarsDoNotBlowUp() {
        String pattern = "*a".repeat(50) + "b";

        assertThat(new Glob(pattern).matches("a".repeat(5_000))).isFalse();
        assertThat(new Glob(pattern).matches("a".repeat(5_000) + "b")).isTrue();
    }

    private static String word(Random random, String alphabet, int maxLength) {
        StringBuilder word = new StringBuilder();
        for (int length = random.nextInt(maxLength + 1); word.length() < length; ) {
            word.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return word.toString();
    }

    /** The definition, word by word. */
    private static boolean naive(String pattern, String text) {
        if (pattern.isEmpty()) {
            return text.isEmpty();
        }
        String rest = pattern.substring(1);
        if (pattern.charAt(0) == '*') {
            return naive(rest, text) || (!text.isEmpty() && naive(pattern, text.substring(1)));
        }
        return !text.isEmpty()
                && (pattern.charAt(0) == '?' || pattern.charAt(0) == text.charAt(0))
                && naive(rest, text.substring(1));
    }
}
