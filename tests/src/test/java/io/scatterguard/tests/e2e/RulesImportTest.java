package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rules import} as a user runs it: from a running cluster, from a dump of its catalog, from sources. */
@ResourceLock(Resources.SYSTEM_OUT)
class RulesImportTest {
    private static EmbeddedServer cluster;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        cluster = EmbeddedServer.start(0);
        ShopData.load(cluster.connectionString());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private CommandLineRun imported(String... options) {
        return CommandLineRun.of(Stream.concat(Stream.of("rules", "import"), Stream.of(options))
                .map(option -> option.replace("FOLDER", folder.toString()).replace("URI", cluster.connectionString()))
                .toArray(String[]::new));
    }

    private String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    @Test
    void aClusterBecomesAFileThatIsReadBackAndHoldsNoValues() throws IOException {
        Path file = folder.resolve("rules.yaml");
        CommandLineRun run = imported("--uri", "URI", "--output", file.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("6 rules -> " + file + "\n");
        assertThat(Files.readString(file))
                .contains("From a cluster of release 6.0", "clusterShards: [shard-a, shard-b, shard-c]")
                .contains("database: shop", "primary: shard-a", "key: {_id: \"hashed\"}", "unique: true")
                .doesNotContain("chunks:", "45001");
        CommandLineRun shown = CommandLineRun.of("rules", "show", file.toString());
        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.out())
                .contains("shards: shard-a, shard-b, shard-c\n", "cluster: 3 shards, shard-a, shard-b, shard-c\n")
                .contains("collection shop.events: sharded by {ts: 1}");
        assertThat(CommandLineRun.of("rules", "validate", file.toString()).code())
                .isZero();
    }

    @Test
    void withItsChunksItSaysSoAtItsTop() throws IOException {
        String config = file("scatterguard.yaml", """
                listeners: [{bind: "127.0.0.1:0", upstream: {kind: mongos, hosts: ["127.0.0.1:1"]}}]
                catalog: {uri: "%s"}
                """.formatted(cluster.connectionString()));
        CommandLineRun run = imported("--config", config, "--chunks", "--namespace", "shop.orders", "--output", "-");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("# The bounds of chunks are values of documents")
                .contains("      - {min: {customerId: 45, orderId: 45001}, shard: shard-b}\n")
                .doesNotContain("shop.events");
        assertThat(RulesFile.parse(run.out(), "rules.yaml")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"none", "--chunks", "--shards=4"})
    void aDumpOfTheCatalogGivesTheSameFileAsTheCluster(String distribution) throws IOException {
        CommandLineRun dumped = CommandLineRun.of("catalog", "dump", "--uri", cluster.connectionString());
        assertThat(dumped.code()).as(dumped.err()).isZero();
        String dump = file("dump.json", dumped.out());
        String[] none = {};
        String[] options = distribution == null ? none : new String[] {distribution};

        CommandLineRun live = imported(
                Stream.concat(Stream.of("--uri", "URI"), Stream.of(options)).toArray(String[]::new));
        CommandLineRun ofDump = imported(
                Stream.concat(Stream.of("--catalog", dump), Stream.of(options)).toArray(String[]::new));

        assertThat(live.code()).as(live.err()).isZero();
        assertThat(ofDump).isEqualTo(live);
        assertThat(live.out().contains("clusterShards")).isEqualTo(!"--shards=4".equals(distribution));
        assertThat(live.out().contains("shards: 4")).isEqualTo("--shards=4".equals(distribution));
    }

    @Test
    void severalSourcesBecomeOneFile() throws IOException {
        file(
                "a/thing.js",
                "const s = new mongoose.Schema({a: String}, {shardKey: {a: 1}});\nmongoose.model('Thing', s);\n");
        file("b/other.js", "new mongoose.Schema({}, {shardKey: {c: 1}});\n");
        file(
                "b/model.py",
                "class Sensor(Document):\n    meta = {'collection': 'sensors', 'shard_key': ('site', 'n')}\n");
        CommandLineRun run =
                imported("--source", "FOLDER/a", "--source", "FOLDER/b", "--database", "shop", "--shards", "2");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("# from " + folder
                        + "/a/thing.js:1\n  - namespace: shop.things\n    key: {a: 1}\n    shards: 2\n")
                .contains("  - namespace: shop.sensors\n    key: {site: 1, \"n\": 1}\n    shards: 2\n");
        assertThat(run.err()).startsWith("not read: " + folder + "/b/other.js:1: ");
        assertThat(RulesFile.parse(run.out(), "rules.yaml")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | --database shop | specify one of these",
                "2 | --uri URI --source FOLDER --database shop | mutually exclusive",
                "2 | --uri URI --chunks --shards 2 | mutually exclusive",
                "2 | --uri URI --shards 0 | --shards 0 (expected: 1..1000)",
                "2 | --uri URI --database shop | --database shop: of no effect without --source",
                "2 | --source FOLDER | --database: missing",
                "2 | --source FOLDER --database shop --chunks | --chunks: sources hold none",
                "2 | --source FOLDER/nowhere --database shop | nowhere: no such file or folder",
                "2 | --catalog FOLDER/nowhere.json | nowhere.json: no such file",
                "2 | --uri URI --output FOLDER/nowhere/rules.yaml | no such folder",
                "2 | --uri mongodb://u:4711-s@localhost/ | a password on the command line",
                "1 | --source FOLDER --database shop | no declared shard key in 0 files",
                "1 | --uri URI --namespace shop.nowhere | no sharded collection of shop.nowhere",
                "1 | --uri mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200 | the catalog cannot be read from mongodb://127.0.0.1:1/"
            })
    void mistakesAreNamedAndNothingIsWritten(int code, String options, String message) {
        CommandLineRun run = imported(options.split(" "));

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).contains(message).doesNotContain("4711-s", "Exception");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void whatIsNoCatalogIsNamed() throws IOException {
        for (String text : List.of("", "{}", "[1]", "{shards: [{host: 1}]}")) {
            CommandLineRun run = imported("--catalog", file("dump.json", text));
            assertThat(run.code()).as(text).isEqualTo(2);
            assertThat(run.err()).contains("dump.json").doesNotContain("Exception");
        }
    }
}
