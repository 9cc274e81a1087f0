package io.scatterguard.tests.fuzz.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.scatterguard.tests.fuzz.wire.JazzerRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jazzer finds nothing for as long as {@link JazzerSettings} say; and where there is something, it finds it. */
class WireFuzzTest {
    private static final long ENOUGH_FOR_THE_PLANTED = 2_000_000;

    private static final int BRIEF_INPUTS = 30;

    @ParameterizedTest
    @EnumSource
    void freshInputsPass(WireTarget target, @TempDir Path temporary) throws Exception {
        requireJazzer();
        JazzerSettings settings = JazzerSettings.read();
        assumeTrue(settings.isChosen(target), target + " is not what scatterguard.jazzer.target names");
        JazzerRun run = new JazzerRun(
                settings.folder(target, temporary),
                target.type(),
                settings.seconds(),
                settings.runs(),
                settings.seed());
        Result result = run.fuzz(settings.isBrief() ? some(target, settings.seed()) : target.inputs());
        System.out.printf("fuzzing %s, seed %d: %s%n", target, settings.seed(), result.summary());
        if (result.exitCode() != 0) {
            fail("%s, seed %d: found something. Its line `Base64:` belongs into fuzz/wire/%s.findings.%n%s"
                    .formatted(target, settings.seed(), target, end(result.log())));
        }
        assertThat(result.log()).contains("Done ");
        if (settings.isKept()) {
            keep(run, target);
        }
    }

    /** Known inputs are run by another test anyway: a few to begin with leave time for fresh ones. */
    private static List<byte[]> some(WireTarget target, long seed) {
        List<byte[]> inputs = target.inputs();
        Collections.shuffle(inputs, new Random(seed));
        return inputs.subList(0, Math.min(BRIEF_INPUTS, inputs.size()));
    }

    @Test
    void aPlantedFaultIsFoundAndItsInputPrinted(@TempDir Path folder) throws Exception {
        requireJazzer();
        Result result = new JazzerRun(folder, PlantedFaultTarget.class, 120, ENOUGH_FOR_THE_PLANTED, 1)
                .fuzz(List.of(new byte[] {'F'}));
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.log()).contains("IllegalStateException: planted").containsPattern("Base64: RlVaW");
    }

    /** Writes the corpus that has grown, without what covers nothing more, beside it. */
    private static void keep(JazzerRun run, WireTarget target) throws IOException, InterruptedException {
        Result merged = run.merge();
        assertThat(merged.exitCode()).as(end(merged.log())).isZero();
        Path file = run.folder().resolve(target + ".corpus");
        Files.write(file, Corpus.lines(run.folder().resolve("merged")));
        System.out.printf("fuzzing %s: the corpus is in %s%n", target, file);
    }

    /** Its fuzzer is native code, for some platforms only. */
    private static void requireJazzer() {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        String known = platform.toLowerCase(Locale.ROOT);
        boolean runs = known.matches("linux (amd64|x86_64)|mac os x (x86_64|aarch64)");
        assumeTrue(runs, "Jazzer has no native library for " + platform + " (expected: linux amd64, or macOS)");
    }

    /** Without the hooks and classes that it lists first. */
    private static String end(String log) {
        return log.substring(Math.max(0, log.length() - 8_000));
    }
}
