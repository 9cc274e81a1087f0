package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The blocks of "Before you shard" in the README: its commands print what stands there, and its configuration works. */
@ResourceLock(Resources.SYSTEM_OUT)
class BeforeYouShardTest {
    private static final Pattern BLOCK = Pattern.compile("(?s)```(\\w+)\\n(.*?)```");
    private static final Pattern RUN =
            Pattern.compile("(?ms)^\\$ (?:echo '([^\\n]*)' \\| )?bin/scatterguard ([^\\n]*)\\n(.*?)(?=^\\$ |\\z)");

    @TempDir
    private Path folder;

    private List<String> yaml;
    private String console;
    private Path rules;

    @BeforeEach
    void read() throws IOException {
        String page = Files.readString(Repository.root().resolve("README.md"));
        int begin = page.indexOf("\n## Before you shard\n");
        String section = page.substring(begin, page.indexOf("\n## ", begin + 1));
        yaml = blocks(section, "yaml");
        assertThat(yaml).hasSize(2);
        assertThat(blocks(section, "console")).hasSize(1);
        console = blocks(section, "console").get(0);
        rules = Files.writeString(folder.resolve("rules.yaml"), yaml.get(0));
    }

    private static List<String> blocks(String section, String language) {
        return BLOCK.matcher(section)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    void itsCommandsPrintWhatStandsThere() {
        List<MatchResult> runs = RUN.matcher(console).results().toList();
        assertThat(runs).hasSize(2);
        for (MatchResult run : runs) {
            String[] words =
                    run.group(2).replace("rules.yaml", rules.toString()).split(" ");
            String input = run.group(1);
            CommandLineRun now = input == null ? CommandLineRun.of(words) : CommandLineRun.withInput(input, words);
            assertThat(now.code()).as(now.err()).isZero();
            assertThat(now.out()).isEqualTo(run.group(3));
        }
    }

    @Test
    void itsConfigurationFindsBroadcastsAndWhatAClusterWouldRefuse() {
        AuditRecords records = new AuditRecords();
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            String config = yaml.get(1)
                    .replace("127.0.0.1:27100", "127.0.0.1:0")
                    .replace("localhost:27017", "127.0.0.1:" + server.port())
                    .replace("rules.yaml", rules.toString())
                    .replace("{ type: stdout }", "");
            try (ProxyUnderTest proxy =
                            ProxyUnderTest.of(config, RuntimeParts.standard().withSink(records));
                    MongoClient client = proxy.driver()) {
                MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
                orders.insertOne(new Document("customerId", 7).append("status", "open"));
                assertThat(orders.find(Filters.eq("customerId", 7)).first()).isNotNull();
                assertThat(orders.find(Filters.eq("status", "open")).first()).isNotNull();
                BsonDocument broadcast = records.next();
                assertThat(broadcast.getDocument("route").getString("shape").getValue())
                        .as("neither the insert nor the first find is a finding")
                        .isEqualTo("scatterGather");
                orders.createIndex(Indexes.ascending("number"), new IndexOptions().unique(true));
                assertThat(records.next()
                                .getDocument("wouldFail")
                                .getString("reason")
                                .getValue())
                        .isEqualTo("uniqueIndexWithoutKey");
            }
        }
    }
}
