package io.scatterguard.proxy.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sources under {@code src/test/resources/sources} declare, and what is said of the rest. */
class SourceRulesTest {
    private static final Path SOURCES = Path.of("src/test/resources/sources");

    private static SourceRules of(Path... roots) {
        try {
            return SourceRules.of(List.of(roots), "app", new Shards(4));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> declared(SourceRules rules) {
        return rules.declarations().stream()
                .map(declaration -> {
                    CollectionRule rule = declaration.rule();
                    String origin = declaration.origin();
                    return rule.namespace() + " " + rule.key() + (rule.unique() ? " unique" : "") + " "
                            + origin.substring(origin.lastIndexOf('/') + 1);
                })
                .toList();
    }

    private static List<String> unreadable(SourceRules rules) {
        return rules.unreadable().stream()
                .map(line -> line.substring(line.lastIndexOf('/', line.indexOf(": ")) + 1))
                .toList();
    }

    @Test
    void springData() {
        SourceRules rules = of(SOURCES.resolve("spring"));

        assertThat(declared(rules))
                .containsExactly(
                        "app.users {\"country\": 1, \"userid\": 1} Models.kt:7",
                        "app.events {\"tenant\": 1, \"_id\": 1} Models.kt:14",
                        "app.stockItem {\"s\": 1} Models.kt:20",
                        "app.purchase_orders {\"cust\": 1, \"ts\": 1, \"address.country\": 1} Order.java:11",
                        "app.uRLEntry {\"_id\": 1} Order.java:34",
                        "app.visit {\"_id\": \"hashed\"} Order.java:40");
        assertThat(unreadable(rules))
                .containsExactly(
                        "Order.java:43: @Sharded of Constant: not a string written out",
                        "Order.java:47: @Sharded of Expression: the name of its collection is an expression");
    }

    @Test
    void mongoose() {
        SourceRules rules = of(SOURCES.resolve("mongoose"));

        assertThat(declared(rules))
                .containsExactly(
                        "app.cats {\"owner\": 1} cat.schema.mts:3",
                        "app.hounds {\"owner\": \"hashed\"} cat.schema.mts:9",
                        "app.orders {\"customer\": 1, \"address.country\": 1} orders.js:7",
                        "app.visit_log {\"user\": \"hashed\"} orders.js:18",
                        "app.folk {\"name\": 1} orders.js:21",
                        "app.categories {\"name\": 1} orders.js:22",
                        "app.mice {\"a\": 1} orders.js:24",
                        "app.devices {\"serial\": 1} schema.ts:5");
        assertThat(unreadable(rules))
                .containsExactly(
                        "orders.js:28: shardKey of a schema: neither its collection nor its model is found in what was read",
                        "orders.js:29: shardKey of a schema: a field of its key has no name that is written out",
                        "orders.js:31: shardKey of a schema: a field of its key is -1 (expected: 1 or \"hashed\" written"
                                + " out)");
    }

    @Test
    void doctrine() {
        SourceRules rules = of(SOURCES.resolve("doctrine"));

        assertThat(declared(rules))
                .containsExactly(
                        "billing.Invoice {\"customer\": 1, \"number\": 1} unique Documents.Invoice.dcm.xml:6",
                        "app.sharded.one {\"k\": 1, \"v\": \"hashed\"} Legacy.php:8",
                        "app.Visit {\"_id\": \"hashed\"} Legacy.php:19",
                        "accounts.users {\"country\": 1, \"username\": \"hashed\"} User.php:12",
                        "app.StockItem {\"sku\": 1} unique User.php:21");
        assertThat(unreadable(rules))
                .containsExactly(
                        "User.php:27: ShardKey: its key is not written out",
                        "entities.xml:2: shard-key: not XML that can be read");
    }

    @Test
    void mongoid() {
        SourceRules rules = of(SOURCES.resolve("mongoid"));

        assertThat(declared(rules))
                .containsExactly(
                        "app.people {\"c\": 1, \"employer_id\": 1, \"address.city\": 1} person.rb:10",
                        "app.shop_admin_http_visits {\"_id\": 1} person.rb:27",
                        "warehouse.crates {\"sku\": \"hashed\"} unique person.rb:34",
                        "app.categories {\"name\": 1, \"parent\": 1} person.rb:49");
        assertThat(unreadable(rules))
                .containsExactly(
                        "person.rb:43: shard_key of Shop::Special: its collection is that of the class it inherits from"
                                + " (expected: store_in collection:)",
                        "person.rb:53: shard_key of Computed: not a string written out");
    }

    @Test
    void mongoEngine() {
        SourceRules rules = of(SOURCES.resolve("mongoengine"));

        assertThat(declared(rules))
                .containsExactly(
                        "app.log_entry {\"m\": 1, \"timestamp\": 1, \"a\": 1} models.py:17",
                        "app.visits {\"_id\": 1} models.py:27",
                        "app.camera {\"_id\": 1} models.py:31");
        assertThat(unreadable(rules))
                .containsExactly(
                        "models.py:34: meta of Special: it may be stored with the class it inherits from (expected:"
                                + " 'collection' in meta)",
                        "models.py:39: meta of Computed: its shard_key is not written out");
    }

    @Test
    void sameCollectionWithAnotherKeyIsReported(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("A.java"), "@Sharded(\"a\") @Document(\"x\") class A {}");
        Files.writeString(folder.resolve("B.java"), "@Sharded(\"b\") @Document(\"x\") class B {}");
        Files.writeString(folder.resolve("C.java"), "@Sharded(\"a\") @Document(\"x\") class C {}");

        SourceRules rules = of(folder);

        assertThat(declared(rules)).containsExactly("app.x {\"a\": 1} A.java:1");
        assertThat(unreadable(rules)).singleElement().asString().startsWith("B.java:1: app.x is declared with another");
    }

    @Test
    void leavesOutWhatIsInstalledBuiltHiddenLinkedOrLarge(@TempDir Path folder, @TempDir Path elsewhere)
            throws IOException {
        String source = "@Sharded class %s {}";
        for (String left : List.of("node_modules/x", "target", ".git", "vendor")) {
            Path path = Files.createDirectories(folder.resolve(left));
            Files.writeString(path.resolve("Left.java"), source.formatted("Left"));
        }
        Files.writeString(elsewhere.resolve("Linked.java"), source.formatted("Linked"));
        Files.createSymbolicLink(folder.resolve("link"), elsewhere);
        Files.createSymbolicLink(folder.resolve("Link.java"), elsewhere.resolve("Linked.java"));
        Files.writeString(folder.resolve("Large.java"), source.formatted("Large") + " ".repeat(1_000_000));
        Files.writeString(folder.resolve("Kept.java"), source.formatted("Kept"));
        Files.write(folder.resolve("Odd.java"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, '@'});

        SourceRules rules = of(folder);

        assertThat(declared(rules)).containsExactly("app.kept {\"_id\": 1} Kept.java:1");
        assertThat(unreadable(rules)).singleElement().asString().startsWith("Large.java: 1000023 bytes");
        assertThatThrownBy(() -> of(folder.resolve("nowhere"))).cause().isInstanceOf(NoSuchFileException.class);
    }

    /** Sources that a scanner could go over again and again, or lose its way in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Sharded(",
                "@Sharded(shardKey={",
                "new Schema(",
                "x = new Schema({}, {shardKey: {a: ",
                "@Schema(",
                "model('a', ",
                "#[ShardKey(keys: [",
                "/** @ShardKey(",
                "<<<A\n",
                "<<~A\n",
                "shard_key ",
                "class A\n shard_key ",
                "meta = {'shard_key': (",
                "class A(B):\n meta = {'shard_key': {",
                "(/[",
                "`${",
                "'''",
                "\"\"\"",
                "/*",
                "'",
                "class shardKey ShardKey shard_key Sharded ",
                "<document><shard-key>",
                "a.set('shardKey', ",
                "@",
                "((((",
                "))))",
                "x = a(shard_key\n",
                "Schema<",
                "s = Schema({}, {shardKey: {a: 1}}); s.set('a', 1);\n",
                "\\",
                "\n"
            })
    void hostileSourcesAreReadInTime(String piece, @TempDir Path folder) throws IOException {
        String text = "Sharded shardKey ShardKey shard_key shard-key model\nclass A\n "
                + piece.repeat(900_000 / piece.length());
        for (String name : List.of("a.java", "a.kt", "a.ts", "a.php", "a.rb", "a.py", "a.xml")) {
            Files.writeString(folder.resolve(name), text);
        }

        assertThat(of(folder).files()).isEqualTo(7);
    }

    @Test
    void nothingInASourceEndsTheRun(@TempDir Path folder) throws IOException {
        for (Path file : List.of(
                SOURCES.resolve("spring/Order.java"),
                SOURCES.resolve("mongoose/orders.js"),
                SOURCES.resolve("doctrine/User.php"),
                SOURCES.resolve("mongoid/person.rb"),
                SOURCES.resolve("mongoengine/models.py"))) {
            String text = Files.readString(file);
            Path cut = folder.resolve(file.getFileName());
            for (int length = 0; length < text.length(); length += 7) {
                Files.writeString(cut, text.substring(0, length));
                assertThat(of(cut).files()).isEqualTo(1);
            }
        }
    }

    /** The name before the dot is gone through backwards; so is the one that something is set on. */
    @ParameterizedTest
    @ValueSource(strings = {".Schema({}, {shardKey: {b: 1}, collection: 'c'})", ".set('shardKey', {b: 1})"})
    void aNameAsLongAsAFileIsReadInTime(String behind, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.js"), "/* model */ x = new " + "a".repeat(900_000) + behind);

        assertThat(of(file).files()).isEqualTo(1);
        assertThat(declared(of(file))).hasSize(behind.startsWith(".Schema") ? 1 : 0);
    }

    @Test
    void whatIsSetOnASchemaCountsOverWhatItIsMadeWith(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.js"), """
                const one = new Schema({}, { shardKey: { a: 1 }, collection: 'one' });
                one.set('shardKey', { b: 1 });
                const two = new Schema({}, { shardKey: { a: 1 }, collection: 'two' });
                two.set('collection', 'other');
                """);

        assertThat(declared(of(file))).containsExactly("app.one {\"b\": 1} a.js:1", "app.other {\"a\": 1} a.js:3");
    }
}
