package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.offline.OfflineJudge;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.reports.FindingsTally;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckRunTest {
    private static final String FIND = "{find: 'orders', filter: {}, $db: 'shop'}\n";

    @TempDir
    private Path folder;

    private static CheckRun run() {
        OfflineJudge judge = new OfflineJudge(
                new KeyRouter(),
                CatalogSnapshot.empty(),
                RouterRelease.DEFAULT,
                CompiledPolicy.compile(PolicyConfig.standard(), 1),
                Clock.systemUTC());
        return new CheckRun(() -> judge, new FindingsTally(Set.of()));
    }

    @Test
    void aFileOfManyBatchesIsJudgedWhole() throws IOException {
        Path file = Files.writeString(folder.resolve("commands"), FIND.repeat(5_000) + FIND.strip());
        try (CheckRun run = run();
                CheckedInput input = CheckedInput.open(file.toString(), false)) {
            run.add(input);
            assertThat(run.judged()).isEqualTo(5_001);
            assertThat(input.bytesRead()).isEqualTo(Files.size(file));
        }
    }

    /** With --follow the end of the file is none, and an interruption ends it with what has come. */
    @Test
    void whatIsAddedToAFollowedFileCountsToo() throws Exception {
        Path file = Files.writeString(folder.resolve("commands"), FIND);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (CheckRun run = run();
                CheckedInput input = CheckedInput.open(file.toString(), true)) {
            Future<?> following = thread.submit(() -> {
                run.add(input);
                return null;
            });
            await().until(() -> input.bytesRead() == FIND.length());
            Files.writeString(file, FIND + FIND, StandardOpenOption.APPEND);
            await().until(() -> input.bytesRead() == 3L * FIND.length());
            thread.shutdownNow();
            following.get(30, TimeUnit.SECONDS);
            assertThat(run.judged()).isEqualTo(3);
        }
    }

    /** What is too long for memory is not read into it. */
    @Test
    void aLineThatIsTooLongIsLeftOutAndTheNextIsRead() throws IOException {
        Path file = folder.resolve("commands");
        try (var out = Files.newOutputStream(file)) {
            byte[] megabyte = new byte[1 << 20];
            java.util.Arrays.fill(megabyte, (byte) 'a');
            for (int i = 0; i <= CheckedInput.MAX_BYTES >> 20; i++) {
                out.write(megabyte);
            }
            out.write(("\n" + FIND).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        try (CheckRun run = run();
                CheckedInput input = CheckedInput.open(file.toString(), false)) {
            run.add(input);
            assertThat(run.judged()).isOne();
        }
    }
}
