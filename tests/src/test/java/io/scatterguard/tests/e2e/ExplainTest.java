package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.Main;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code explain} and {@code catalog} as a user runs them, against files and against a running server. */
@ResourceLock(Resources.SYSTEM_OUT)
class ExplainTest {
    private static final String SHOP =
            Repository.root().resolve("docs/explain/shop.json").toString();
    private static final String FIND = "{find: 'orders', filter: {customerId: 100, orderId: 100003}, $db: 'shop'}";

    /** Nothing listens there. */
    private static final String NOBODY = "127.0.0.1:1/?serverSelectionTimeoutMS=100";

    private static CommandLineRun explain(String commands, String... options) {
        String[] args = new String[options.length + 3];
        args[0] = "explain";
        args[1] = "--catalog";
        args[2] = SHOP;
        System.arraycopy(options, 0, args, 3, options.length);
        return CommandLineRun.withInput(commands, args);
    }

    @Test
    void aCommandComesFromStandardInput() {
        for (String[] file : new String[][] {{}, {"-"}}) {
            CommandLineRun run = explain(FIND, file);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).startsWith("find on shop.orders: 1 of 3 shards: shard-c\n\n");
        }
    }

    /** What a shard raises is no part of the route, so it has a row of its own. */
    @Test
    void whatAClusterRefusesIsSaid() {
        String update = "{update: 'orders', updates: [{q: {customerId: 1, orderId: 1}, u: {$set: {status: 'x'}}},"
                + " {q: {customerId: 1, orderId: 1}, u: {$set: {orderId: 2}}, multi: true}], $db: 'shop'}";
        assertThat(explain(update).out())
                .startsWith("update on shop.orders: 2 statements, the worst: 1 of 3 shards")
                .contains("fails       Statement 1: InvalidOptions (72), because an update of many documents changes")
                .contains("To fix it, change the shard key of one document at a time");
        BsonDocument failure =
                BsonDocument.parse(explain(update, "--json").out()).getDocument("wouldFail");
        assertThat(failure.getString("reason").getValue()).isEqualTo("keyChangeOfMany");
        assertThat(failure.getNumber("statement").intValue()).isOne();
        String explained = "{explain: {findAndModify: 'orders', query: {status: 'x'}, remove: true}, $db: 'shop'}";
        assertThat(explain(explained, "--router-version", "6.0").out())
                .contains("fails       ShardKeyNotFound (61), because a findAndModify needs the full shard key.");
        assertThat(explain(explained).out()).doesNotContain("fails ");
        assertThat(explain(FIND).out()).doesNotContain("fails ");
    }

    @Test
    void severalCommandsAreExplainedOneAfterTheOther() {
        CommandLineRun run = explain(FIND + "\n\n {find: 'settings', $db: 'shop'} {ping: 1, $db: 'admin'}");
        assertThat(run.out())
                .contains("#1 find on shop.orders: 1 of 3 shards: shard-c", "\n\n#2 find on shop.settings: unsharded")
                .contains("#3 ping on admin: not routed");
        CommandLineRun json = explain(FIND + FIND, "--json");
        assertThat(json.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(BsonDocument.parse(line)
                                .getDocument("route")
                                .getString("shape")
                                .getValue())
                        .isEqualTo("singleShard"));
    }

    @Test
    void theDatabaseIsThatOfTheCommandOrElseThatOfTheOption() {
        assertThat(explain("{find: 'orders'}", "--db", "shop").out()).startsWith("find on shop.orders: scatter-gather");
        assertThat(explain(FIND, "--db", "other").out()).startsWith("find on shop.orders");
    }

    @Test
    void theReleaseDecides() {
        String replace = "{update: 'orders', updates: [{q: {_id: 1}, u: {customerId: 1, orderId: 1}}], $db: 'shop'}";
        assertThat(explain(replace, "--router-version", "8.0").out())
                .startsWith("update on shop.orders: 1 of 3 shards: shard-a")
                .contains("  document    customerId  = 1")
                .contains("rules of mongos 8.0");
        assertThat(explain(replace, "--router-version", "9.0").out())
                .startsWith("update on shop.orders: broadcast, 3 of 3 shards");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {find: 'ordres', $db: 'shop'}       | config.collections has no shop.ordres
                    {find: 'ordres', $db: 'shop'}       | Did you mean shop.orders?
                    {find: 'orders', $db: 'shpo'}       | The database shpo is not in config.databases. Did you mean shop?
                    {find: 'shop.orders', $db: 'shop'}  | name it without: "orders"
                    {fnid: 'orders', $db: 'shop'}       | No command "fnid" is known
                    {fnid: 'orders', $db: 'shop'}       | Did you mean find?
                    """)
    void whatMayBeMistypedIsSaid(String command, String hint) {
        CommandLineRun run = explain(command);
        assertThat(run.code()).isZero();
        assertThat(run.out().replaceAll("\\s+", " ")).contains(hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                       | standard input: no command
                    db.orders.find()                         | standard input, line 1, column 1: unexpected 'd'
                    {find: 'orders', filter: {a 5}}          | standard input, line 1, column 30: not Extended JSON
                    {find: 'orders'                          | standard input, line 1, column
                    {find: 'orders'}                         | the command: of no database (expected: "$db" in the command, or --db)
                    {find: 'orders', $db: 5}                 | $db is a INT32
                    {find: 'x', $db: 'shop'} {find: 'orders'} | command 2: of no database
                    {}                                       | the command: empty
                    {find: 'orders', n: {$oid: 'zz'}}        | not Extended JSON
                    {find: 'orders', n: {$binary: {base64: '*', subType: '00'}}} | not Extended JSON
                    {find: 'orders', n: 123456789012345678901234567890} | not Extended JSON
                    """)
    void wrongInputIsNamedWithItsPlace(String commands, String message) {
        CommandLineRun run = explain(commands);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(message);
    }

    @Test
    void aCommandThatIsNestedTooDeeplyIsTurnedDown() {
        CommandLineRun run =
                explain("{find: 'orders', filter: {a: " + "[".repeat(5_000) + "]".repeat(5_000) + "}, $db: 'shop'}");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("nested too deeply");
    }

    @Test
    void anErrorInALaterLineIsFoundThere() {
        CommandLineRun run = explain(FIND + "\n{find: 'orders',\n  filter: {customerId: ]}}");
        assertThat(run.err()).contains("standard input, line 3, column 2");
    }

    @Test
    void filesAndVersionsThatCannotBeUsedAreNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");
        assertThat(explain("", folder.resolve("none.json").toString()).err()).contains("none.json: no such file");
        assertThat(explain("", folder.toString()).code()).isEqualTo(2);
        assertThat(explain(FIND, "--router-version", "new").err()).contains("--router-version: new (expected: major");
        CommandLineRun noDump = CommandLineRun.of("explain", "--catalog", file.toString(), SHOP);
        assertThat(noDump.code()).isEqualTo(2);
        assertThat(CommandLineRun.withInput(FIND, "explain", "--catalog", file.toString())
                        .err())
                .contains("other.json: not a catalog dump");
        assertThat(CommandLineRun.withInput(FIND, "explain").err()).contains("--catalog");
    }

    @Test
    void aPasswordOnTheCommandLineIsTurnedDownAndNotRepeated() {
        for (String uri : new String[] {
            "mongodb://reader:s3cret@127.0.0.1/",
            "mongodb://reader:s3cret${X}@127.0.0.1/",
            "mongodb://127.0.0.1/?proxyPassword=s3cret"
        }) {
            CommandLineRun run = CommandLineRun.withInput(FIND, "explain", "--uri", uri);
            assertThat(run.code()).as(uri).isEqualTo(2);
            assertThat(run.err()).contains("${file:/run/secrets/catalog}").doesNotContain("s3cret");
        }
    }

    @Test
    void aClusterThatCannotBeReachedIsAFailureWithoutThePassword(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "s3cret\n");
        String uri = "mongodb://reader:${file:" + secret + "}@" + NOBODY;
        for (String[] args : new String[][] {{"explain", "--uri", uri}, {"catalog", "dump", "--uri", uri}}) {
            CommandLineRun run = CommandLineRun.withInput(FIND, args);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err())
                    .contains(
                            "the catalog cannot be read from mongodb://***@127.0.0.1:1/?***: no server could be reached")
                    .doesNotContain("s3cret", "reader");
        }
    }

    @Test
    void aRunningClusterIsExplainedAndItsDumpTellsTheSame(@TempDir Path folder) throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ShopData.load(server.connectionString());
            addZone(server);
            Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                    listeners: [ { upstream: { hosts: ["127.0.0.1:%d"] } } ]
                    """.formatted(server.port()));
            String commands = FIND + "{find: 'customers', filter: {_id: {$in: [1, 2, 3]}}, $db: 'shop'}"
                    + "{aggregate: 'events', pipeline: [{$lookup: {from: 'orders', localField: 'a',"
                    + " foreignField: 'customerId', as: 'o'}}], $db: 'shop'}";
            CommandLineRun live = CommandLineRun.withInput(commands, "explain", "--uri", server.connectionString());
            assertThat(live.code()).as(live.err()).isZero();
            assertThat(live.out()).contains("#1 find on shop.orders: 1 of 3 shards: shard-c", "rules of mongos 6.0");
            assertThat(CommandLineRun.withInput(commands, "explain", "--config", config.toString()))
                    .isEqualTo(live);

            Path dump = folder.resolve("dump.json");
            CommandLineRun dumped =
                    CommandLineRun.of("catalog", "dump", "--uri", server.connectionString(), "-o", dump.toString());
            assertThat(dumped.code()).as(dumped.err()).isZero();
            assertThat(dumped.err()).startsWith("3 shards, 1 database, 4 collections, 29 chunks, 1 tag -> ");
            CommandLineRun loaded = CommandLineRun.of("catalog", "load", dump.toString());
            assertThat(loaded.code()).as(loaded.err()).isZero();
            assertThat(loaded.out()).contains("collection shop.orders: sharded by {customerId: 1, orderId: 1}");
            assertThat(CommandLineRun.withInput(commands, "explain", "--catalog", dump.toString()))
                    .isEqualTo(live);
            CommandLineRun nowhere = CommandLineRun.of(
                    "catalog", "dump", "--uri", server.connectionString(), "-o", folder + "/none/x.json");
            assertThat(nowhere.code()).isEqualTo(2);
            assertThat(nowhere.err())
                    .contains("--output " + folder + "/none/x.json: cannot be written: no such folder");
            CommandLineRun nothing =
                    CommandLineRun.of("catalog", "dump", "--uri", server.connectionString(), "--namespace", "nosuch");
            assertThat(nothing.code()).isEqualTo(2);
            assertThat(nothing.err()).contains("--namespace nosuch: neither a database");
        }
    }

    private static void addZone(EmbeddedServer server) {
        try (MongoClient client = MongoClients.create(server.connectionString())) {
            client.getDatabase("config")
                    .getCollection("tags", BsonDocument.class)
                    .insertOne(BsonDocument.parse("{ns: 'shop.orders', min: {customerId: 0, orderId: 0},"
                            + " max: {customerId: 9, orderId: 0}, tag: 'eu'}"));
        }
    }

    @Test
    void aDumpCanBeOfSomeCollectionsOnly() {
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ShopData.load(server.connectionString());
            addZone(server);
            CommandLineRun run = CommandLineRun.of(
                    "catalog",
                    "dump",
                    "--uri",
                    server.connectionString(),
                    "--namespace",
                    "shop.events",
                    "--namespace",
                    "other.things");
            assertThat(run.code()).as(run.err()).isZero();
            BsonDocument dump = BsonDocument.parse(run.out());
            assertThat(dump.getArray("shards")).hasSize(3);
            assertThat(dump.getArray("collections")).hasSize(1);
            assertThat(dump.getArray("chunks")).hasSize(7);
            assertThat(dump.getArray("tags")).isEmpty();
            assertThat(dump.getArray("chunks").get(0).asDocument()).containsKeys("_id", "uuid", "history");
            assertThat(run.err()).contains("--namespace other.things: no sharded collection");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "shard": "shard-c"   | "shard": "shard-x"   | their shard "shard-x" is not in "shards"
                    "primary": "shard-a" | "primary": "shard-x" | shop: its primary "shard-x" is not in "shards"
                    "_id": "shop",       | "_id": "shpo",       | shop.orders: its database "shop" is not in "databases"
                    "collections":       | "lost":              | no such collection is in "collections"
                    "shards":            | "shards": [], "lost": | shards: there are none
                    """)
    void aNameThatTheDumpDoesNotHaveIsAProblem(String part, String broken, String problem, @TempDir Path folder)
            throws IOException {
        String dump = BsonDocument.parse(Files.readString(Path.of(SHOP))).toJson();
        assertThat(dump).contains(part);
        Path file = Files.writeString(folder.resolve("dangling.json"), dump.replace(part, broken));
        CommandLineRun run = CommandLineRun.of("catalog", "load", file.toString());
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.out()).contains(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "catalog dump mongodb://u:p4ssw@h",
                "catalog dump --urii mongodb://u:p4ssw@h",
                "catalog dump --urii=mongodb://u:p4ss/w@h/",
                "catalog load mongodb://u:p4ssw@h/",
                "catalog dump --config mongodb://u:p4ssw@h",
                "explain --catalog mongodb://u:p4ssw@h",
                "explain --catalog dump.json mongodb://u:p4ssw@h",
                "explain --vectors mongodb://u:p4ssw@h/",
                "explain mongodb://u:p4ssw@h mongodb://u:p4ssw@h",
                "explain --uri http://h mongodb://u:p4ssw@h",
                "mongodb+srv://u:p4ssw@h",
                "serve mongodb://u:p4ssw@h",
                "catalog dump mongodb://h/?proxyPassword=p4ssw",
            })
    void aPasswordInTheWrongPlaceIsNotRepeated(String line) {
        CommandLineRun run = CommandLineRun.withInput(FIND, line.split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out() + run.err()).doesNotContain("p4ss").isNotBlank();
    }

    @Test
    void aConnectionStringThatIsNoneIsNamedByItsOption() {
        CommandLineRun run = CommandLineRun.withInput(FIND, "explain", "--uri", "mongodb://h:99999/");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--uri: ").doesNotContain("catalog.uri");
    }

    /** In a process of its own, since the charset of its streams is decided when it starts. */
    @Test
    void outputIsUtf8WhateverTheLocale(@TempDir Path folder) throws Exception {
        Path find = Files.writeString(
                folder.resolve("find.json"), "{find: 'orders', filter: {customerId: 'Zo\u00eb \u6771'}, $db: 'shop'}");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=US-ASCII",
                        "-Dstdout.encoding=US-ASCII",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "explain",
                        "--json",
                        "--catalog",
                        SHOP,
                        find.toString())
                .redirectError(folder.resolve("err").toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        assertThat(out).contains("Zo\u00eb \u6771");
    }

    @Test
    void outputThatIsLostIsAFailure() {
        PrintStream out = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        }));
        try {
            assertThat(Main.run("catalog", "load", SHOP)).isEqualTo(1);
        } finally {
            System.setOut(out);
        }
    }

    @Test
    void aBrokenDumpIsLoadedWithItsProblems(@TempDir Path folder) throws IOException {
        BsonDocument dump = BsonDocument.parse(Files.readString(Path.of(SHOP)));
        dump.getArray("chunks").remove(3);
        Path file = Files.writeString(folder.resolve("broken.json"), dump.toJson());
        CommandLineRun run = CommandLineRun.of("catalog", "load", file.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("problem: shop.orders: ", "a gap before", "collection shop.events");
        assertThat(CommandLineRun.withInput(FIND, "explain", "--catalog", file.toString())
                        .out())
                .startsWith("find on shop.orders: at most 3 of 3 shards")
                .contains("The catalog is broken there: shop.orders");
    }
}
