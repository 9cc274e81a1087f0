package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.tests.support.ExecProcess;
import io.scatterguard.tests.support.ExecRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code exec} and the command that it runs: codes, signals, streams, and what is left when both are gone. */
class ExecTest {
    private static final String POINT = "'{find: \"orders\", filter: {customerId: 7}}'";
    private static final Pattern URI = Pattern.compile("mongodb://127\\.0\\.0\\.1:(\\d+)/");

    @TempDir
    private Path folder;

    private ExecProcess.Setup exec() {
        return ExecProcess.in(folder);
    }

    private ExecProcess.Setup withRules() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), """
                shardingRules: [{namespace: shop.orders, key: {customerId: 1}, shards: 3}]
                """);
        return exec().options("--rules", rules);
    }

    private static int port(String text) {
        Matcher uri = URI.matcher(text);
        assertThat(uri.find()).as(text).isTrue();
        return Integer.parseInt(uri.group(1));
    }

    private static void awaitClosed(int port) {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThatThrownBy(
                                () -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                        .isInstanceOf(IOException.class));
    }

    @Test
    void aRunWithoutFindingsEndsWithZero() throws IOException {
        ExecRun run = withRules().sh("\"$CLIENT\" " + POINT);
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.out()).isEqualTo("ok\n");
        assertThat(run.err()).contains("0 new, 0 known; 1 commands, 0 exempted").doesNotContain("no rule");
    }

    @ParameterizedTest
    @CsvSource({"exit 3, 3", "exit 61, 61", "kill -s KILL $$, 137", "kill -s TERM $$, 143"})
    void theCodeOfACommandThatFailedIsPassedOn(String script, int code) {
        assertThat(exec().sh(script).code()).isEqualTo(code);
    }

    /** What failed in a suite is told first: that it also broadcast is in the report. */
    @Test
    void theCodeOfACommandThatFailedComesBeforeFindings() throws IOException {
        ExecRun run = withRules().sh("\"$CLIENT\" '{find: \"orders\", filter: {status: \"open\"}}'; exit 4");
        assertThat(run.code()).as(run.output()).isEqualTo(4);
        assertThat(run.err()).contains(" new scatter-gather shop.orders find");
    }

    @Test
    void aCommandThatIsNotThereOrNoneIsNamed() throws IOException {
        ExecRun none = exec().run("no-such-program-here", "--flag");
        assertThat(none.code()).as(none.output()).isEqualTo(127);
        assertThat(none.err())
                .contains("scatterguard: exec: no-such-program-here: cannot be started")
                .doesNotContain("nobody connected", "0 new");
        Path file = Files.writeString(folder.resolve("data.txt"), "no program");
        ExecRun data = exec().run(file.toString());
        assertThat(data.code()).as(data.output()).isEqualTo(126);
        assertThat(data.err()).contains(file + ": cannot be started");
        assertThat(exec().run("./absent/program").code()).isEqualTo(127);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP", "USR1", "USR2"})
    void aSignalReachesTheCommandWhoseCodeCounts(String signal) {
        try (ExecProcess process = exec().startSh("trap 'echo got " + signal + "; kill $!; exit 7' " + signal
                + "; sleep 600 & echo ready; while :; do wait; done")) {
            ExecRun run = process.awaitOut("ready").signal(signal).await();
            assertThat(run.code()).as(run.output()).isEqualTo(7);
            assertThat(run.out()).isEqualTo("ready\ngot " + signal + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    void whatEndsTheCommandIsSaidAsShellsDo(String signal, int code) {
        try (ExecProcess process = exec().startSh("echo ready; exec sleep 600")) {
            assertThat(process.awaitOut("ready").signal(signal).await().code()).isEqualTo(code);
        }
    }

    @Test
    void theStreamsAreTheCommands() {
        ExecRun run = exec().options("--fail-on", "none").input("one\ntwo ü\n").sh("cat; echo said >&2");
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.out()).isEqualTo("one\ntwo ü\n");
        assertThat(run.err()).contains("\nsaid\n").contains("nobody connected to the proxy");
    }

    @Test
    void theConnectionStringIsWhereItIsAskedFor() {
        ExecRun run = exec().options("--variable", "FIRST", "--variable", "SECOND_URL", "--database", "my shop")
                .run(
                        "/bin/sh",
                        "-c",
                        "echo $0; echo $1; echo $FIRST; echo $SECOND_URL; echo ${MONGODB_URI:-none}",
                        "{uri}",
                        "--uri={uri}&x=1");
        String uri = "mongodb://127.0.0.1:" + port(run.out()) + "/my%20shop";
        assertThat(run.out().lines()).containsExactly(uri, "--uri=" + uri + "&x=1", uri, uri, "none");
        ExecRun wrong = exec().options("--variable", "A=B").run("true");
        assertThat(wrong.code()).as(wrong.output()).isEqualTo(2);
        assertThat(wrong.err()).contains("--variable: A=B");
    }

    @Test
    void aRunThatNeverCameThroughTheProxyIsNotClean() {
        ExecRun run = exec().run("true");
        assertThat(run.code()).as(run.output()).isEqualTo(2);
        assertThat(run.err()).contains("nobody connected to the proxy: does true connect to what MONGODB_URI says?");
        ExecRun lenient = exec().options("--fail-on", "none").run("true");
        assertThat(lenient.code()).as(lenient.output()).isZero();
    }

    @Test
    void aWrongFileStartsNothing() throws IOException {
        Path rules = Files.writeString(folder.resolve("wrong.yaml"), "shardingRules: [{namespace: shop.orders}]\n");
        ExecRun wrong = exec().options("--rules", rules).sh("touch started");
        assertThat(wrong.code()).as(wrong.output()).isEqualTo(2);
        assertThat(wrong.err()).contains("wrong.yaml").contains("key");
        assertThat(exec().options("--rules", folder.resolve("none.yaml"))
                        .sh("touch started")
                        .code())
                .isEqualTo(2);
        assertThat(exec().options("--config", folder.resolve("none.yaml"))
                        .sh("touch started")
                        .code())
                .isEqualTo(2);
        assertThat(exec().options("--baseline", folder.resolve("none.yaml"))
                        .sh("touch started")
                        .code())
                .isEqualTo(2);
        assertThat(exec().options("--upstream", "localhost:27017")
                        .sh("touch started")
                        .code())
                .isEqualTo(2);
        assertThat(folder.resolve("started")).doesNotExist();
    }

    /** What a suite leaves running has its connection closed; exec does not wait for it. */
    @Test
    void whatTheCommandLeavesRunningIsLeftAlone() throws IOException {
        try (ExecProcess process = withRules()
                .startSh("mkfifo pipe; \"$CLIENT\" " + POINT + " hold > pipe &"
                        + " { read first; read second; echo $second; } < pipe; echo $!; echo $MONGODB_URI")) {
            ExecRun run = process.await();
            assertThat(run.code()).as(run.output()).isZero();
            String[] lines = run.out().split("\n");
            assertThat(lines[0]).isEqualTo("holding");
            ProcessHandle left = ProcessHandle.of(Long.parseLong(lines[1])).orElseThrow();
            assertThat(left.isAlive()).isTrue();
            awaitClosed(port(lines[2]));
            left.destroyForcibly();
        }
    }

    @Test
    void oneThatIsKilledLeavesNoServer() {
        try (ExecProcess process = exec().startSh("echo $$; echo $MONGODB_URI; exec sleep 600")) {
            process.awaitOut("/\n");
            String[] lines = process.out().split("\n");
            ProcessHandle child = ProcessHandle.of(Long.parseLong(lines[0])).orElseThrow();
            try {
                assertThat(process.signal("KILL").await().code()).isEqualTo(137);
                awaitClosed(port(lines[1]));
                assertThat(child.isAlive()).isTrue();
            } finally {
                child.destroyForcibly();
            }
        }
    }
}
