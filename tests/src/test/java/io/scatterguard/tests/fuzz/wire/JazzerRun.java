package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Jazzer in a JVM of its own: it rewrites the classes that it watches, which no other test should run on.
 *
 * @param folder for the corpus, the log and what is found
 * @param seconds how long, besides starting and reading the corpus
 * @param runs the most inputs
 */
record JazzerRun(Path folder, Class<?> target, int seconds, long runs, long seed) {
    private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";

    private static final String WATCHED = "io.scatterguard.protocol.**:io.scatterguard.proxy.**:";

    /** What starting and reading the corpus may take on a machine that does much else. */
    private static final int PATIENCE_SECONDS = 300;

    /** For one input. The first one waits for every class to be instrumented, perhaps on a machine that does much else. */
    private static final int TIMEOUT_SECONDS = 300;

    private static final int MAX_INPUT_BYTES = 8192;

    /** How a run ended: 0 if it found nothing. */
    record Result(int exitCode, String log) {
        /** The last lines with figures: inputs run, edges covered, inputs kept. */
        String summary() {
            return log.lines()
                    .filter(line -> line.matches("#\\d+\\s.*cov: .*|Done \\d+ runs.*"))
                    .reduce((last, line) -> line.startsWith("Done") ? last + "; " + line : line)
                    .orElse("no figures");
        }
    }

    /** Where the corpus grows. */
    Path corpus() {
        return folder.resolve("corpus");
    }

    /** Fuzzes from {@code inputs} on. */
    Result fuzz(List<byte[]> inputs) throws IOException, InterruptedException {
        Corpus.write(folder.resolve("seeds"), inputs);
        Files.createDirectories(corpus());
        return run(List.of(
                "-max_total_time=" + seconds,
                "-runs=" + runs,
                "-seed=" + seed,
                "-max_len=" + MAX_INPUT_BYTES,
                "-timeout=" + TIMEOUT_SECONDS,
                "-rss_limit_mb=4096",
                "-dict=" + dictionary(),
                corpus().toString(),
                folder.resolve("seeds").toString()));
    }

    /** Leaves only as many of all inputs as cover the same: in the folder {@code merged}. */
    Result merge() throws IOException, InterruptedException {
        Path merged = Files.createDirectories(folder.resolve("merged"));
        return run(List.of(
                "-merge=1",
                "-max_len=" + MAX_INPUT_BYTES,
                "-rss_limit_mb=4096",
                merged.toString(),
                corpus().toString(),
                folder.resolve("seeds").toString()));
    }

    private Result run(List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+EnableDynamicAgentLoading",
                "-Dio.netty.leakDetection.level=disabled",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                "--target_class=" + target.getName(),
                "--instrumentation_includes=" + WATCHED + target.getName(),
                // Jazzer 0.24.0 loses the static field of this record when it rewrites it.
                "--instrumentation_excludes=io.scatterguard.proxy.net.ProxyHeader",
                "--custom_hook_includes=" + WATCHED + target.getName(),
                "--reproducer_path=" + folder));
        command.addAll(options);
        command.add("-artifact_prefix=" + folder + "/");
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(Repository.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("Jazzer did not end by itself:\n" + Files.readString(log));
        }
        return new Result(process.exitValue(), Files.readString(log));
    }

    /** Names and operators, each with the byte that ends a name; the rest of a word is up to the fuzzer. */
    private Path dictionary() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String word : Words.ALL) {
            lines.append('"').append(word).append("\\x00\"\n");
        }
        return Files.writeString(folder.resolve("dictionary"), lines, StandardCharsets.UTF_8);
    }
}
