package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Slow queries as each release logs them, a {@code mongod} or a {@code mongos}, by {@code check}: the same commands get the same
 * verdicts and ids. The attributes around the command are those of the documentation of each release's log messages.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class LoggedReleasesTest {
    private static final String RULES = """
            shardingRules:
              - { namespace: shop.orders, key: { region: 1, userId: 1 }, shards: 3 }
              - { namespace: yorkie-meta.documents, key: { project_id: hashed }, shards: 3 }
            """;
    private static final String YORKIE = "{\"find\":\"documents\",\"filter\":{\"_id\":{\"$lt\":{\"$oid\":"
            + "\"65f000000000000000000000\"}},\"project_id\":{\"$eq\":{\"$oid\":\"65f000000000000000000001\"}},"
            + "\"removed_at\":{\"$exists\":false}},\"sort\":{\"_id\":-1},\"limit\":20,\"lsid\":{\"id\":{\"$uuid\":"
            + "\"859bc7ec-c125-49fc-ab8a-20f10a26c428\"}},\"$db\":\"yorkie-meta\"}";
    private static final String TARGETED =
            "{\"find\":\"orders\",\"filter\":{\"region\":\"eu\",\"userId\":7},\"$db\":\"shop\"}";
    private static final String BROADCAST =
            "{\"aggregate\":\"orders\",\"pipeline\":[{\"$match\":{\"userId\":7}}],\"cursor\":{},\"$db\":\"shop\"}";
    private static final String DELETE = "{\"q\":{\"userId\":7},\"limit\":0}";

    /** The first field of the key in a range, and no value of the second. */
    private static final String RANGE =
            "{\"count\":\"orders\",\"query\":{\"region\":{\"$gt\":\"a\"}},\"$db\":\"shop\"}";

    @TempDir
    private Path folder;

    private static String line(String component, String type, String namespace, String command, String rest) {
        return "{\"t\":{\"$date\":\"2026-11-30T10:00:00.250+00:00\"},\"s\":\"I\",  \"c\":\"" + component
                + "\",  \"id\":51803,   \"ctx\":\"conn42\",\"msg\":\"Slow query\",\"attr\":{\"type\":\"" + type
                + "\",\"ns\":\"" + namespace + "\",\"appName\":\"app\",\"command\":" + command + "," + rest
                + ",\"durationMillis\":131}}\n";
    }

    private CommandLineRun check(String rules, String lines, String... options) throws IOException {
        Path log = Files.writeString(folder.resolve("mongo.log"), lines);
        Path file = Files.writeString(folder.resolve("rules.yaml"), rules);
        String[] arguments = new String[options.length + 4];
        arguments[0] = "check";
        arguments[1] = "--rules";
        arguments[2] = file.toString();
        arguments[3] = log.toString();
        System.arraycopy(options, 0, arguments, 4, options.length);
        return CommandLineRun.of(arguments);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            4.4 | mongod | "planSummary":"IXSCAN { _id: 1 }","keysExamined":20,"numYields":0,"nreturned":20,"queryHash":"6C0186CD","reslen":6117,"locks":{"Global":{"acquireCount":{"r":1}}},"storage":{},"protocol":"op_msg"
            4.4 | mongos | "nShards":3,"cursorExhausted":true,"numYields":0,"nreturned":20,"reslen":6117,"protocol":"op_msg"
            5.0 | mongod | "planSummary":"COLLSCAN","docsExamined":20,"numYields":0,"nreturned":20,"reslen":6117,"locks":{},"remote":"10.0.0.7:43384","protocol":"op_msg"
            5.0 | mongos | "nShards":3,"cursorExhausted":true,"numYields":0,"nreturned":20,"reslen":6117,"remote":"10.0.0.7:43384","protocol":"op_msg"
            6.0 | mongod | "planSummary":"COLLSCAN","numYields":0,"nreturned":20,"reslen":6117,"locks":{},"readConcern":{"level":"local","provenance":"implicitDefault"},"remote":"10.0.0.7:43384","protocol":"op_msg"
            7.0 | mongos | "nShards":3,"cursorExhausted":true,"nreturned":20,"queryFramework":"classic","reslen":6117,"remote":"10.0.0.7:43384","protocol":"op_msg"
            8.0 | mongod | "isFromUserConnection":true,"collectionType":"normal","queryShapeHash":"A1B2","planSummary":"COLLSCAN","planningTimeMicros":540,"workingMillis":130,"queues":{"execution":{"admissions":1}},"cpuNanos":384117600,"remote":"10.0.0.7:43384","protocol":"op_msg"
            8.0 | mongos | "isFromUserConnection":true,"collectionType":"sharded","queryShapeHash":"A1B2","nShards":3,"cursorExhausted":true,"nreturned":20,"workingMillis":130,"remote":"10.0.0.7:43384","protocol":"op_msg"
            """)
    void theVerdictsAreTheSame(String release, String server, String rest) throws IOException {
        String lines = line("COMMAND", "command", "yorkie-meta.documents", YORKIE, rest)
                + line("COMMAND", "command", "shop.orders", TARGETED, rest)
                + line("COMMAND", "command", "shop.orders", BROADCAST, rest)
                + line("COMMAND", "command", "shop.orders", RANGE, rest)
                + (server.equals("mongod") ? line("WRITE", "remove", "shop.orders", DELETE, rest) : "");
        CommandLineRun run = check(RULES, lines, "--report", "json", "--router-version", release);

        assertThat(run.code()).as(run.err()).isEqualTo(61);
        BsonArray findings = BsonDocument.parse(run.out()).getArray("findings");
        assertThat(findings)
                .extracting(one -> one.asDocument().getString("namespace").getValue() + " "
                        + one.asDocument().getString("command").getValue() + " "
                        + one.asDocument().getString("kind").getValue())
                .as("by its hashed key Yorkie's query is targeted, and so is that by the whole key; the range is none")
                .containsExactlyInAnyOrderElementsOf(
                        server.equals("mongod")
                                ? List.of("shop.orders aggregate scatter-gather", "shop.orders delete scatter-gather")
                                : List.of("shop.orders aggregate scatter-gather"));
        assertThat(findings).allSatisfy(one -> {
            BsonDocument finding = one.asDocument();
            assertThat(finding.getDocument("shards").getNumber("count").intValue())
                    .isEqualTo(3);
            assertThat(finding.getDocument("shards").getBoolean("exact").getValue())
                    .isTrue();
            assertThat(finding.getDocument("seen").getNumber("serverMicros").longValue())
                    .isEqualTo(131_000);
        });
    }

    /** The query of the report that this began with is no broadcast by the key that Yorkie has, and would be by another one. */
    @Test
    void yorkiesQueryIsBroadcastByAnotherKey() throws IOException {
        String line = line("COMMAND", "command", "yorkie-meta.documents", YORKIE, "\"nreturned\":20");
        CommandLineRun run =
                check("shardingRules: [{namespace: yorkie-meta.documents, key: {key: 1}, shards: 3}]", line);
        assertThat(run.code()).as(run.err()).isEqualTo(61);
        assertThat(run.out()).contains(" new scatter-gather yorkie-meta.documents find\n", "✗ key missing");
    }
}
