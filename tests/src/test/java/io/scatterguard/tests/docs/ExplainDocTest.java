package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.embedded.ShopCatalog;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * {@code docs/explain.md} shows what the program prints: the blocks of commands in it are run and compared. With
 * {@code -Dscatterguard.docs.update=true} the page is written anew instead.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class ExplainDocTest {
    private static final Path ROOT = Repository.root();
    private static final Path PAGE = ROOT.resolve("docs/explain.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)```console\\n(.*?)```");
    private static final Pattern FIELD = Pattern.compile("`([^`]+)`");
    private static final int WIDTH = 100;

    /** Values of the application, and maps from names: what is below them is no field of ours. */
    private static final Set<String> OPEN = Set.of("document", "low", "high", "hashOf", "min", "max", "chunksByShard");

    /** Together they show every field. */
    private static final List<String> COMMANDS = List.of(
            "{find: 'orders', filter: {customerId: {$gt: 5, $lt: 9}}, $db: 'shop'}",
            "{find: 'customers', filter: {_id: {$in: [7, 8]}}, $db: 'shop'}",
            "{find: 'ordres', $db: 'shop'}",
            "{update: 'orders', updates: [{q: {a: 1}, u: {$set: {b: 1}}, upsert: true, multi: true},"
                    + " {q: {_id: 1}, u: {$set: {b: 1}}}], $db: 'shop'}",
            "{aggregate: 'orders', pipeline: [{$limit: 5}, {$match: {customerId: 5}},"
                    + " {$lookup: {from: 'customers', localField: 'customerId', foreignField: '_id', as: 'c'}},"
                    + " {$out: 'copies'}], $db: 'shop'}",
            "{aggregate: 'orders', pipeline: [{$match: {customerId: 100}}, {$out: 'copies'}], $db: 'shop'}",
            "{bulkWrite: 1, ops: [{insert: 0, document: {_id: 7}}, {update: 1, filter: {_id: 1},"
                    + " updateMods: {$set: {a: 1}}}], nsInfo: [{ns: 'shop.customers'}, {ns: 'shop.orders'}],"
                    + " $db: 'admin'}");

    /** These show every field of a check: one that is left out, unreadable, wrong, with a first hop. */
    private static final List<String> VECTORS = List.of(
            "{id: 'a', versions: '>=8.0', unsharded: true, primaryShard: 'x', command: {find: 'c'}, expectShards: ['x']}",
            "{id: 'b', unsharded: true, primaryShard: 'x', command: {find: 'c'}, expectShards: ['y']}",
            "{id: 'c'",
            "{id: 'd', shardKey: {meta: 1}, timeseries: {timeField: 't', metaField: 'm'}, primaryShard: 'p',"
                    + " chunks: [{min: {meta: {$minKey: 1}}, max: {meta: {$maxKey: 1}}, shard: 'x'}],"
                    + " command: {find: 'c', filter: {m: 1}}, expectShards: ['x']}");

    private static final List<String> RECORDED = List.of(
            "{id: 'e', ns: 'shop.orders', command: {update: 'orders', updates: [{q: {customerId: {$lt: 5}},"
                    + " u: {$set: {b: 1}}, multi: true}]}}",
            "{id: 'f', ns: 'shop.orders', command: {find: 'orders', filter: {customerId: 100, orderId: 100003}},"
                    + " shards: ['shard-c'], error: {code: 96}}",
            "{id: 'g', ns: 'shop.orders', command: {insert: 'orders', documents: [{customerId: [1], orderId: 1}]}}",
            "{id: 'h', ns: 'shop.orders', command: {update: 'orders', updates: [{q: {customerId: {$gte: 50, $lt: 100}},"
                    + " u: {$set: {b: 1}}, multi: true}]}}");

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    @Test
    void theBlocksOfCommandsShowWhatTheProgramPrints() throws IOException {
        String page = page();
        Matcher matcher = BLOCK.matcher(page);
        StringBuilder printed = new StringBuilder();
        int blocks = 0;
        while (matcher.find()) {
            matcher.appendReplacement(
                    printed, Matcher.quoteReplacement("```console\n" + session(matcher.group(1)) + "```"));
            blocks++;
        }
        matcher.appendTail(printed);
        assertThat(blocks).isGreaterThanOrEqualTo(6);
        if (Boolean.getBoolean("scatterguard.docs.update")) {
            Files.writeString(PAGE, printed.toString());
        } else {
            assertThat(page)
                    .as("docs/explain.md (rewrite it with -Dscatterguard.docs.update=true)")
                    .isEqualTo(printed.toString());
        }
    }

    /** What is typed in a block, each followed by what it prints. */
    private static String session(String block) throws IOException {
        StringBuilder session = new StringBuilder();
        for (String line : block.lines().filter(l -> l.startsWith("$ ")).toList()) {
            List<String> words = Arrays.asList(line.substring(2).split(" ", -1));
            session.append(line).append('\n').append(output(words));
        }
        return session.toString();
    }

    private static String output(List<String> words) throws IOException {
        if (words.get(0).equals("cat")) {
            return Files.readString(ROOT.resolve(words.get(1)));
        }
        assertThat(words.get(0)).isEqualTo("bin/scatterguard");
        CommandLineRun run = CommandLineRun.of(words.stream()
                .skip(1)
                .map(word -> word.startsWith("docs/") ? ROOT.resolve(word).toString() : word)
                .toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(WIDTH));
        return run.out();
    }

    @Test
    void theCatalogOfThePageIsThatOfTheDemo() throws IOException {
        StringWriter dump = new StringWriter();
        RawCatalog shop = new RawCatalog(
                ShopCatalog.shards(), ShopCatalog.databases(), ShopCatalog.collections(), ShopCatalog.chunks());
        CatalogDump.write(shop, dump);
        assertThat(withoutIds(Files.readString(ROOT.resolve("docs/explain/shop.json"))))
                .isEqualTo(withoutIds(dump.toString()));
    }

    /** Part of an ObjectId is made anew in every process. */
    private static String withoutIds(String dump) {
        return dump.replaceAll("[0-9a-f]{24}", "");
    }

    @Test
    void everyFieldOfTheJsonIsDocumentedAndNoOther() throws IOException {
        Set<String> shown = new TreeSet<>();
        for (String version : List.of("6.0", "8.0", "9.9")) {
            CommandLineRun run = CommandLineRun.withInput(
                    String.join("\n", COMMANDS),
                    "explain",
                    "--catalog",
                    ROOT.resolve("docs/explain/shop.json").toString(),
                    "--router-version",
                    version,
                    "--json");
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out().lines()).hasSize(COMMANDS.size());
            run.out().lines().forEach(line -> collect(BsonDocument.parse(line), "", shown));
        }
        CommandLineRun declared = CommandLineRun.of(
                "explain",
                "--rules",
                ROOT.resolve("docs/explain/rules.yaml").toString(),
                ROOT.resolve("docs/explain/declared.json").toString(),
                "--json");
        declared.out().lines().forEach(line -> collect(BsonDocument.parse(line), "", shown));
        assertThat(documented("## `--json`", "## Checking many")).containsExactlyElementsOf(shown);
    }

    /** Together with the counts of the last line. */
    @Test
    void everyFieldOfTheChecksIsDocumentedAndNoOther(@TempDir Path folder) throws IOException {
        Path vectors = Files.write(folder.resolve("vectors.jsonl"), VECTORS);
        Path commands = Files.write(folder.resolve("commands.jsonl"), RECORDED);
        String shop = ROOT.resolve("docs/explain/shop.json").toString();
        Set<String> shown = new TreeSet<>();
        for (CommandLineRun run : List.of(
                CommandLineRun.of("explain", "--vectors", vectors.toString(), "--router-version", "6.3"),
                CommandLineRun.of("explain", "--catalog", shop, "--commands", commands.toString()))) {
            List<String> lines = run.out().lines().toList();
            lines.subList(0, lines.size() - 1).forEach(line -> collect(BsonDocument.parse(line), "", shown));
            assertThat(section("**Output**", "## `catalog dump`"))
                    .contains(lines.get(lines.size() - 1)
                            .replaceAll(":\\d+", ": …")
                            .replace(",", ", "));
        }
        assertThat(documented("**Output**", "## `catalog dump`")).containsExactlyElementsOf(shown);
    }

    private static String section(String begin, String end) throws IOException {
        String page = page();
        return page.substring(page.indexOf(begin), page.indexOf(end));
    }

    private static Set<String> documented(String begin, String end) throws IOException {
        String section = section(begin, end);
        Set<String> fields = new TreeSet<>();
        section.lines().filter(line -> line.startsWith("| `")).forEach(row -> {
            Matcher field = FIELD.matcher(row.substring(0, row.indexOf('|', 1)));
            while (field.find()) {
                fields.add(field.group(1));
            }
        });
        return fields;
    }

    private static void collect(BsonDocument json, String prefix, Set<String> paths) {
        json.forEach((name, value) -> {
            paths.add(prefix + name);
            if (!OPEN.contains(name)) {
                below(value, prefix + name, paths);
            }
        });
    }

    private static void below(BsonValue value, String path, Set<String> paths) {
        if (value.isDocument()) {
            collect(value.asDocument(), path + ".", paths);
        } else if (value.isArray()) {
            value.asArray().stream()
                    .filter(BsonValue::isDocument)
                    .forEach(element -> collect(element.asDocument(), path + "[].", paths));
        }
    }
}
