package io.scatterguard.proxy.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerLogTest {
    /** A line of {@code component}, with these attributes. */
    private static String line(String component, String attributes) {
        return "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+02:00\"},\"s\":\"I\",  \"c\":\"" + component
                + "\", \"id\":51803,   \"ctx\":\"conn42\",\"msg\":\"Slow query\",\"attr\":{" + attributes + "}}";
    }

    private static LoggedCommand ran(LogEntry entry) {
        assertThat(entry).isInstanceOf(LogEntry.Ran.class);
        return ((LogEntry.Ran) entry).command();
    }

    static Stream<Arguments> findsOfEveryRelease() {
        String command =
                "\"command\":{\"find\":\"documents\",\"filter\":{\"_id\":{\"$lt\":{\"$oid\":\"65f000000000000000000000\"}},"
                        + "\"project_id\":{\"$eq\":{\"$oid\":\"65f000000000000000000001\"}},\"removed_at\":{\"$exists\":false}},"
                        + "\"sort\":{\"_id\":-1},\"limit\":20,\"lsid\":{\"id\":{\"$uuid\":\"859bc7ec-c125-49fc-ab8a-20f10a26c428\"}},"
                        + "\"$db\":\"yorkie-meta\"}";
        String begin = "\"type\":\"command\",\"ns\":\"yorkie-meta.documents\",\"appName\":\"yorkie\"," + command;
        return Stream.of(
                Arguments.of(
                        "4.4 mongod",
                        begin + ",\"planSummary\":\"IXSCAN { _id: 1 }\",\"keysExamined\":20,"
                                + "\"docsExamined\":20,\"numYields\":0,\"nreturned\":20,\"queryHash\":\"6C0186CD\",\"reslen\":6117,"
                                + "\"locks\":{\"Global\":{\"acquireCount\":{\"r\":1}}},\"storage\":{},\"protocol\":\"op_msg\","
                                + "\"durationMillis\":131"),
                Arguments.of(
                        "5.0 mongos",
                        begin + ",\"nShards\":3,\"cursorExhausted\":true,\"numYields\":0,\"nreturned\":20,"
                                + "\"reslen\":6117,\"remote\":\"10.0.0.7:43384\",\"protocol\":\"op_msg\",\"durationMillis\":131"),
                Arguments.of(
                        "6.0 mongod",
                        begin + ",\"planSummary\":\"IXSCAN { _id: 1 }\",\"keysExamined\":20,"
                                + "\"numYields\":0,\"nreturned\":20,\"reslen\":6117,\"locks\":{},\"readConcern\":{\"level\":\"local\","
                                + "\"provenance\":\"implicitDefault\"},\"remote\":\"10.0.0.7:43384\",\"protocol\":\"op_msg\","
                                + "\"durationMillis\":131"),
                Arguments.of(
                        "7.0 mongos",
                        begin + ",\"nShards\":3,\"cursorExhausted\":true,\"nreturned\":20,"
                                + "\"queryFramework\":\"classic\",\"reslen\":6117,\"remote\":\"10.0.0.7:43384\","
                                + "\"protocol\":\"op_msg\",\"durationMillis\":131"),
                Arguments.of(
                        "8.0 mongod",
                        "\"type\":\"command\",\"isFromUserConnection\":true,\"ns\":\"yorkie-meta.documents\","
                                + "\"collectionType\":\"normal\",\"appName\":\"yorkie\",\"queryShapeHash\":\"A1B2\","
                                + command
                                + ",\"planSummary\":\"IXSCAN { _id: 1 }\",\"planningTimeMicros\":540,\"workingMillis\":130,"
                                + "\"queues\":{\"execution\":{\"admissions\":1}},\"cpuNanos\":384117600,\"remote\":\"10.0.0.7:43384\","
                                + "\"protocol\":\"op_msg\",\"durationMillis\":131"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void findsOfEveryRelease(String release, String attributes) {
        LoggedCommand found = ran(ServerLog.entry(line("COMMAND", attributes)));
        assertThat(found.database()).isEqualTo("yorkie-meta");
        assertThat(found.command().getDocument("filter").keySet()).containsExactly("_id", "project_id", "removed_at");
        assertThat(found.command()
                        .getDocument("filter")
                        .getDocument("_id")
                        .get("$lt")
                        .isObjectId())
                .isTrue();
        assertThat(found.client().appName()).isEqualTo("yorkie");
        assertThat(found.client().address()).isEqualTo(release.startsWith("4.4") ? "unknown" : "10.0.0.7:43384");
        assertThat(found.at()).isEqualTo(Instant.parse("2026-11-30T10:00:00.250Z"));
        assertThat(found.serverMicros()).isEqualTo(131_000);
        assertThat(found.continued()).isFalse();
    }

    /** Else each statement would count twice. */
    @Test
    void aWriteAsAWholeIsLeftOutOfWhatAMongodLogs() {
        String whole =
                "\"type\":\"command\",\"ns\":\"shop.NAME\",\"command\":{\"update\":\"orders\",\"updates\":[{\"q\":{},"
                        + "\"u\":{\"$set\":{\"a\":1}}}],\"$db\":\"shop\"},\"durationMillis\":288";
        LogEntry entry = ServerLog.entry(line("COMMAND", whole.replace("NAME", "$cmd")));
        assertThat(entry).isInstanceOf(LogEntry.Incomplete.class);
        assertThat(((LogEntry.Incomplete) entry).why()).contains("whose statements have entries of their own");
        assertThat(ran(ServerLog.entry(line("COMMAND", whole.replace("NAME", "orders"))))
                        .command())
                .as("by the name of the collection a mongos logs it, which logs no statements")
                .containsKey("updates");
    }

    /** A mongod logs each statement by itself, on the component of writes. */
    @Test
    void aStatementOfAWriteIsACommandOfItsOwn() {
        LoggedCommand update = ran(
                ServerLog.entry(
                        line(
                                "WRITE",
                                "\"type\":\"update\",\"ns\":\"shop.orders\",\"command\":{\"q\":{\"status\":\"open\"},"
                                        + "\"u\":{\"$set\":{\"status\":\"done\"}},\"multi\":true,\"upsert\":false},\"durationMillis\":288")));
        assertThat(update.database()).isEqualTo("shop");
        assertThat(update.command())
                .isEqualTo(BsonDocument.parse("{update: 'orders', updates: [{q: {status: 'open'},"
                        + " u: {$set: {status: 'done'}}, multi: true, upsert: false}], $db: 'shop'}"));
        LoggedCommand remove = ran(ServerLog.entry(line(
                "WRITE",
                "\"type\":\"remove\",\"ns\":\"shop.orders\",\"command\":{\"q\":{\"status\":\"old\"},\"limit\":1},"
                        + "\"durationMillis\":2")));
        assertThat(remove.command())
                .isEqualTo(BsonDocument.parse(
                        "{delete: 'orders', deletes: [{q: {status: 'old'}, limit: 1}], $db: 'shop'}"));
    }

    @Test
    void aFurtherBatchBelongsToItsCommand() {
        String getMore =
                "\"type\":\"command\",\"ns\":\"shop.orders\",\"command\":{\"getMore\":77,\"collection\":\"orders\","
                        + "\"$db\":\"shop\"}";
        LoggedCommand batch = ran(ServerLog.entry(line(
                "COMMAND",
                getMore + ",\"originatingCommand\":{\"find\":\"orders\",\"filter\":{\"a\":1},\"$db\":\"shop\"},"
                        + "\"durationMillis\":9")));
        assertThat(batch.continued()).isTrue();
        assertThat(batch.command().getString("find").getValue()).isEqualTo("orders");
        assertThat(ServerLog.entry(line("COMMAND", getMore)))
                .isEqualTo(new LogEntry.Incomplete("\"getMore\" without the command it belongs to"));
    }

    /** Servers do not log what comes beside the body. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "update", "delete", "bulkWrite"})
    void aWriteWithoutItsStatementsTellsTooLittle(String name) {
        String attributes = "\"type\":\"command\",\"ns\":\"shop.$cmd\",\"command\":{\"" + name
                + "\":\"orders\",\"ordered\":true,\"$db\":\"shop\"},\"durationMillis\":101";
        assertThat(ServerLog.entry(line("COMMAND", attributes)))
                .isEqualTo(new LogEntry.Incomplete("the statements of \"" + name + "\" are not recorded"));
    }

    @Test
    void aTruncatedCommandIsNotJudged() {
        String whole = line(
                "COMMAND",
                "\"type\":\"command\",\"ns\":\"shop.orders\",\"command\":{\"find\":\"orders\",\"filter\":{}},"
                        + "\"durationMillis\":9");
        String truncated = whole.substring(0, whole.length() - 1)
                + ",\"truncated\":{\"command\":{\"filter\":{\"$in\":{\"type\":\"array\",\"size\":99999}}}},"
                + "\"size\":{\"command\":99999}}";
        assertThat(ServerLog.entry(truncated)).isInstanceOf(LogEntry.Incomplete.class);
        String plan =
                whole.substring(0, whole.length() - 1) + ",\"truncated\":{\"planSummary\":{\"type\":\"string\"}}}";
        assertThat(ServerLog.entry(plan)).isInstanceOf(LogEntry.Ran.class);
    }

    @Test
    void whatElseServersLogIsTold() {
        assertThat(ServerLog.entry("{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"c\":\"NETWORK\","
                        + "\"id\":22943,\"ctx\":\"listener\",\"msg\":\"Connection accepted\",\"attr\":{}}"))
                .isInstanceOf(LogEntry.Other.class);
        assertThat(
                        ServerLog.entry(
                                "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"c\":\"QUERY\","
                                        + "\"id\":1,\"ctx\":\"x\",\"msg\":\"about \\\"Slow query\\\"\",\"attr\":{\"a\":\"Slow query\"}}"))
                .isInstanceOf(LogEntry.Other.class);
    }

    /** Whatever it is, it is told apart, and nothing of it is repeated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2019-01-01T00:00:00.000+0000 I COMMAND [conn1] command shop.orders command: find s3cret",
                "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"msg\":\"Slow query\",\"attr\":{\"s3cret",
                "{\"t\":{\"$date\":\"s3cret\"},\"s\":\"I\",\"c\":\"COMMAND\",\"msg\":\"Slow query\",\"attr\":{}}",
                "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"msg\":\"Connection s3cr",
                "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250Z\"},\"msg\":\"Slow query\",\"attr\":{\"ns\":7,"
                        + "\"command\":{\"find\":\"s3cret\"}}}"
            })
    void whatIsNoLineOfALogIsForeign(String line) {
        assertThat(ServerLog.entry(line)).isInstanceOf(LogEntry.Foreign.class);
        assertThat(((LogEntry.Foreign) ServerLog.entry(line)).why()).doesNotContain("s3cr");
    }
}
