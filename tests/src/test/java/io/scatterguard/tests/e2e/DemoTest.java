package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The command line as a user runs it. */
@ResourceLock(Resources.SYSTEM_OUT)
class DemoTest {
    @Test
    void theDemoRunsItsTourAndEnds() {
        List<String> lines = new ArrayList<>();
        int code = captured(lines, "demo", "--once");
        assertThat(code).as(String.join("\n", lines)).isZero();
        assertThat(lines.stream().filter(line -> line.startsWith("   verdict: ")))
                .as("one verdict a step")
                .hasSize(8)
                .anyMatch(line -> line.contains("find shop.orders -> 1 of 3 shards") && line.contains("allow"))
                .anyMatch(line -> line.contains("find shop.orders -> 3 of 3 shards") && line.contains("refuse"))
                .anyMatch(line -> line.contains("exempted by demo-report"))
                .anyMatch(line -> line.contains("insert shop.orders -> 1 of 3 shards"));
        assertThat(lines).anyMatch(line -> line.contains("refused: Scatterguard refused find on shop.orders"));
    }

    @Test
    void aWrongConfigurationEndsWithTwoAndNamesEveryError(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("scatterguard.yaml");
        Files.writeString(file, "listeners: [ { bind: nonsense, upstream: { hosts: [] } } ]\nfoo: 1\n");
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertThat(captured(new ArrayList<>(), "serve", "--config", file.toString()))
                    .isEqualTo(2);
        } finally {
            System.setErr(err);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("listeners[0].bind", "foo");
    }

    private static int captured(List<String> lines, String... args) {
        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            return Main.run(args);
        } finally {
            System.setOut(out);
            bytes.toString(StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
    }
}
