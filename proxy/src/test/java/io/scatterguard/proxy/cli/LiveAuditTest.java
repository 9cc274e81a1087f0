package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.scatterguard.proxy.audit.SinkStatus;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits of the audit section. */
class LiveAuditTest {
    @TempDir
    private Path folder;

    private ScatterguardConfig started;
    private LiveAudit audit;
    private LivePolicy policy;
    private LiveConfig live;

    @BeforeEach
    void start() {
        started = config("observe", "sinks: [" + file("a") + "]");
        audit = LiveAudit.start(started, List.of());
        policy = new LivePolicy(started, UnaryOperator.identity());
        live = new LiveConfig(started, policy, List.of(audit));
    }

    @AfterEach
    void stop() {
        audit.pipeline().close();
    }

    private String file(String name) {
        return "{ type: file, path: '" + folder.resolve(name) + "' }";
    }

    private static ScatterguardConfig config(String mode, String audit) {
        return ConfigReader.read("""
                listeners: [ { upstream: { hosts: [a] } } ]
                policy: { mode: %s }
                audit: { %s }
                """.formatted(mode, audit), Map.of());
    }

    private List<String> types() {
        return audit.pipeline().sinks().stream().map(SinkStatus::type).toList();
    }

    @Test
    void sinksAndTheirQueuesChange() {
        live.apply(config("observe", "sinks: [{ type: stdout }, " + file("a") + "], queueCapacity: 7"));
        assertThat(types()).containsExactly("stdout", "file");
        assertThat(audit.pipeline().queueCapacity()).isEqualTo(7);
        assertThat(live.edits().pending()).isEmpty();
        live.apply(config("observe", "sinks: []"));
        assertThat(types()).isEmpty();
    }

    /** Nothing of the edit counts, not even what has nothing to do with the sink. */
    @Test
    void anEditWithASinkThatCannotBeOpenedIsRefusedAsAWhole() {
        String wrong = "sinks: [{ type: stdout }, " + file("missing/b") + "], record: all";
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> live.apply(config("enforce", wrong)))
                .withMessageContaining("audit.sinks[1]: " + folder.resolve("missing") + ": no folder (expected: ");
        assertThat(types()).containsExactly("file");
        assertThat(live.current()).isEqualTo(started);
        assertThat(policy.mode(0)).isEqualTo(started.policy().mode());
        assertThat(policy.version()).isOne();
    }

    @Test
    void aFolderIsNoFile() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> live.apply(config("observe", "sinks: [{ type: file, path: '" + folder + "' }]")))
                .withMessageContaining(": a folder (expected: a file, or none yet)");
    }

    /** It may have stopped working long ago: that is no reason to refuse another edit. */
    @Test
    void aSinkThatStaysIsNotLookedAt() throws Exception {
        Files.createDirectory(folder.resolve("logs"));
        live.apply(config("observe", "sinks: [" + file("logs/a") + "]"));
        Files.delete(folder.resolve("logs"));
        live.apply(config("enforce", "sinks: [" + file("logs/a") + "], record: all"));
        assertThat(live.current().policy().mode().text()).isEqualTo("enforce");
    }

    @Test
    void aFileThatDoesNotWorkYetKeepsNobodyFromStarting() {
        ScatterguardConfig config = config("observe", "sinks: [" + file("missing/b") + "]");
        LiveAudit.start(config, List.of()).pipeline().close();
    }
}
