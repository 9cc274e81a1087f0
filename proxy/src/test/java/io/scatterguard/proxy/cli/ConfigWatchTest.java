package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.NoCatalogSource;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits of a configuration, looked at by hand. */
class ConfigWatchTest {
    private static final String HEAD = "listeners: [ { upstream: { kind: standalone, hosts: [a] } } ]\n";

    @TempDir
    private Path folder;

    private Path file;
    private CatalogRefresher catalog;
    private LiveConfig live;
    private ConfigWatch watch;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("scatterguard.yaml");
        Files.writeString(folder.resolve("name"), "one\n");
        Files.writeString(file, HEAD + "cluster: ${file:name}\n");
        Set<Path> files = new LinkedHashSet<>();
        ScatterguardConfig config = ConfigReader.read(file, Map.of(), files::add);
        DeclaredKeys declared = DeclaredKeys.of(config);
        catalog = new CatalogRefresher(new NoCatalogSource(), Duration.ofMinutes(1), false, declared);
        LivePart keys = LivePart.of(changed -> declared.replace(changed.shardingRules(), catalog::overlayChanged));
        live = new LiveConfig(config, new LivePolicy(config, UnaryOperator.identity()), List.of(keys));
        watch = new ConfigWatch(file, files, Map.of(), live);
    }

    @AfterEach
    void stop() {
        catalog.close();
    }

    /** What is being written changes from look to look. */
    @Test
    void anEditCountsOnceItStaysTheSame() throws IOException {
        Files.writeString(file, HEAD + "policy: { mode: enf");
        watch.look();
        Files.writeString(file, HEAD + "policy: { mode: enforce }\n");
        watch.look();
        assertThat(live.edits().applied()).isZero();
        watch.look();
        assertThat(live.edits().applied()).isOne();
        assertThat(live.edits().refused()).isZero();
        watch.look();
        assertThat(live.edits().applied()).isOne();
    }

    @Test
    void aFileThatIsReferredToIsWatchedToo() throws IOException {
        Files.writeString(folder.resolve("name"), "another\n");
        watch.look();
        watch.look();
        assertThat(live.current().cluster()).isEqualTo("another");
        assertThat(live.edits().pending()).containsExactly("cluster");
    }

    /** One that is referred to by an edit only is watched from then on; one that is gone is an error until it is back. */
    @Test
    void whatIsWatchedFollowsTheEdits() throws IOException {
        Files.writeString(file, HEAD + "shardingRulesFile: rules.yaml\n");
        watch.look();
        watch.look();
        assertThat(live.edits().error()).contains("shardingRulesFile");
        Files.writeString(
                folder.resolve("rules.yaml"), "shardingRules: [ { namespace: shop.carts, key: { owner: 1 } } ]");
        watch.look();
        watch.look();
        assertThat(live.edits().error()).isNull();
        assertThat(catalog.current().tables()).hasSize(1);
        Files.delete(folder.resolve("rules.yaml"));
        watch.look();
        watch.look();
        assertThat(live.edits().error()).contains("rules.yaml");
        assertThat(catalog.current().tables())
                .as("what was declared before stays")
                .hasSize(1);
    }

    @Test
    void anEditThatIsTakenBackMendsTheError() throws IOException {
        String right = Files.readString(file);
        Files.writeString(file, "listeners: [");
        watch.reread();
        assertThat(live.edits().error()).isNotNull();
        Files.writeString(file, right);
        watch.reread();
        assertThat(live.edits().error()).isNull();
        assertThat(live.edits().refused()).isOne();
    }
}
