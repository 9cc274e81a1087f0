package io.scatterguard.tests.fuzz.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every input that is known passes, what was once found among them. */
class WireCorpusTest {
    /** Of all files under {@code fuzz/wire}: a repository is no place for more. */
    private static final int MAX_BYTES = 1024 * 1024;

    @ParameterizedTest
    @EnumSource
    void everyKnownInputPasses(WireTarget target) {
        List<byte[]> inputs = target.inputs();
        assertThat(inputs).hasSizeGreaterThan(30);
        for (byte[] input : inputs) {
            try {
                target.run(input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        target + " fails on " + Base64.getEncoder().encodeToString(input), e);
            }
        }
        System.out.printf("fuzzing %s: %,d known inputs%n", target, inputs.size());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsKeptIsSmallAndThereOnce(WireTarget target) {
        List<byte[]> corpus = Corpus.inputs(target.text() + ".corpus");
        assertThat(corpus.stream().mapToInt(input -> input.length * 4 / 3).sum())
                .isLessThan(MAX_BYTES / WireTarget.values().length);
        assertThat(corpus.stream().map(Base64.getEncoder()::encodeToString)).doesNotHaveDuplicates();
    }
}
