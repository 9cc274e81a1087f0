package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import io.scatterguard.proxy.routing.WouldFail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final AuditEvent.Stamp STAMP = new AuditEvent.Stamp(7, Given.NOW, "staging-eu", "proxy-1");
    private static final AuditEvent.Subject SUBJECT = new AuditEvent.Subject(
            Namespace.parse("shop.orders"),
            "find",
            "test:OrdersTest#find",
            new QueryShape("find {filter: {userId: ?number}}", "0123456789abcdef"));

    private static final List<Note> NOTES = List.of(
            new Note(Note.Name.KEY_EQUALS_NULL, 0, "userId", "It is null", "give it a value"),
            new Note(Note.Name.ID_ONLY_WRITE, 1, "region", "It is not there", "add it"),
            new Note(Note.Name.ID_ONLY_WRITE, 2, "region", "It is not there", "add it"));

    private static String line(AuditEvent event) {
        return new String(new JsonLines().event(event), StandardCharsets.UTF_8);
    }

    private static final RecordedFix FIX =
            new RecordedFix("add a predicate on \"region\"", "filter: {region: <value>, userId: ?number}");

    private static AuditEvent event(Route route) {
        return event(route, null);
    }

    private static AuditEvent event(Route route, @Nullable WouldFail wouldFail) {
        return event(route, wouldFail, Given.ANSWERED);
    }

    private static AuditEvent event(Route route, @Nullable WouldFail wouldFail, Outcome outcome) {
        return new AuditEvent(
                STAMP,
                Given.SOURCE,
                SUBJECT,
                RecordedRoute.of(route, "it has no region", FIX, NOTES, wouldFail),
                Given.EXEMPTED,
                outcome);
    }

    /** An event in which no field is missing. */
    private static AuditEvent fullEvent() {
        StatementRoute failing = new StatementRoute(
                Placement.ALL_SHARDS,
                Shape.SCATTER_GATHER,
                Certainty.UPPER_BOUND,
                Given.allShards(),
                0b010,
                0b100,
                Reason.PREDICTED_ERROR,
                PredictedError.SHARD_KEY_NOT_FOUND,
                new StatementSubject(Namespace.parse("shop.orders"), null));
        Route batch = Given.routed(List.of(failing, failing), 0);
        Route route = new Route(
                batch.kind(),
                batch.namespace(),
                batch.worst(),
                batch.statements(),
                batch.shards(),
                ShardSet.of(0),
                batch.placement(),
                batch.table(),
                batch.registry(),
                batch.release());
        WouldFail wouldFail =
                new WouldFail(PredictedError.SHARD_KEY_NOT_FOUND, WouldFail.Cause.DELETE_ONE_WITHOUT_KEY, 1, true);
        return event(route, wouldFail, new Outcome(true, 0, 17, 120, 4_500, 240, 8_192, "0A".repeat(32)));
    }

    @Test
    void whatAClusterWouldRefuseHasNoValues() throws IOException {
        WouldFail wouldFail =
                new WouldFail(PredictedError.KEY_UPDATE_WITHOUT_KEY, WouldFail.Cause.KEY_CHANGE_WITHOUT_KEY, 3, false);

        JsonNode json = MAPPER.readTree(line(event(Given.broadcast(), wouldFail)));
        assertThat(json.get("wouldFail")).isEqualTo(MAPPER.readTree("""
                {"code": 31025, "codeName": "Location31025", "reason": "keyChangeWithoutKey", "statement": 3,
                 "certain": false}
                """));
    }

    /** The page about the records lists every cause, with its errors' names, and no other. */
    @Test
    void everyCauseIsDocumented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "audit-log.md"));
        String table = page.substring(page.indexOf("| `wouldFail.reason` | error"), page.indexOf("A shard looks at"));
        List<String> documented = table.lines()
                .skip(2)
                .filter(row -> row.startsWith("| `"))
                .map(row -> row.substring(3, row.indexOf('`', 3)))
                .toList();
        assertThat(documented)
                .containsExactlyElementsOf(Arrays.stream(WouldFail.Cause.values())
                        .map(WouldFail.Cause::text)
                        .toList());
    }

    @Test
    void aRecordIsOneLine() throws IOException {
        String line = line(event(Given.broadcast()));

        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        assertThat(MAPPER.readTree(line)).isEqualTo(MAPPER.readTree("""
                {"seq": 7, "ts": "2026-12-01T10:20:30.123456Z", "cluster": "staging-eu", "instance": "proxy-1",
                 "listener": "127.0.0.1:27100", "session": 42,
                 "client": {"address": "10.1.2.3:50412", "app": "checkout",
                            "driver": "nodejs|mongosh 7.9.0|2.12.0", "os": "Linux"},
                 "user": "alice", "owner": "shop-team", "db": "shop", "coll": "orders", "command": "find", "comment": "test:OrdersTest#find",
                 "shape": {"text": "find {filter: {userId: ?number}}", "hash": "0123456789abcdef"},
                 "route": {"placement": "allShards", "shape": "scatterGather", "certainty": "exact",
                           "intrinsic": false, "shards": ["shard-a", "shard-b", "shard-c"], "shardCount": 3,
                           "shardTotal": 3, "tableVersion": "7|3", "tableAgeMillis": 1250, "release": "6.0"},
                 "shardKey": "{region: 1, userId: 1, day: 1}",
                 "constrained": [{"field": "userId", "by": "point"}, {"field": "day", "by": "range"}],
                 "missing": ["region"], "why": "it has no region",
                 "fix": "add a predicate on \\"region\\"", "fixFilter": "filter: {region: <value>, userId: ?number}",
                 "notes": ["keyEqualsNull", "idOnlyWrite"],
                 "verdict": {"action": "allow", "wouldRefuse": false, "rule": "no-broadcast", "owner": "orders-team",
                             "ruleReason": "scans cost a minute", "exemption": "nightly",
                             "reason": "exempted", "policyVersion": 3},
                 "status": {"ok": true, "code": 0, "nReturned": 17},
                 "micros": {"proxy": 120, "server": 4500}, "bytes": {"request": 240, "reply": 8192}}
                """));
    }

    @Test
    void whatIsNotKnownIsLeftOut() throws IOException {
        AuditEvent event = new AuditEvent(
                STAMP,
                new AuditSource("127.0.0.1:27100", 1, ClientInfo.of("10.1.2.3:5")),
                new AuditEvent.Subject(new Namespace("admin", ""), "ping", null, null),
                RecordedRoute.of(Given.notRouted("admin"), "", List.of(), null),
                Given.ALLOWED,
                Given.UNSEEN);

        JsonNode json = MAPPER.readTree(line(event));
        assertThat(paths(json))
                .doesNotContain(
                        "coll",
                        "comment",
                        "shape",
                        "route",
                        "shardKey",
                        "missing",
                        "why",
                        "notes",
                        "user",
                        "statements")
                .doesNotContain("client.app", "status", "status.ok", "verdict.rule")
                .contains("db", "command", "client.address", "verdict.action", "micros.server");
        assertThat(line(event)).doesNotContain("null");
    }

    @Test
    void statementsOfABatchAreListedUpToABound() throws IOException {
        StatementRoute single = Given.statement(Shape.SINGLE_SHARD, ShardSet.of(1), 0b111, 0);
        StatementRoute broadcast = Given.statement(Shape.SCATTER_GATHER, Given.allShards(), 0, 0);
        List<StatementRoute> statements = new ArrayList<>(Collections.nCopies(150, single));
        statements.set(120, broadcast);

        JsonNode json = MAPPER.readTree(line(event(Given.routed(statements, 120))));
        JsonNode listed = json.get("statements");
        assertThat(json.get("statementCount").asInt()).isEqualTo(150);
        assertThat(listed).hasSize(RecordedRoute.MAX_LISTED);
        assertThat(listed.get(98)).isEqualTo(MAPPER.readTree("""
                {"index": 98, "placement": "oneShard", "shape": "singleShard", "certainty": "exact", "shards": ["shard-b"]}
                """));
        assertThat(listed.get(99).get("index").asInt()).isEqualTo(120);
        assertThat(listed.get(99).get("shape").asText()).isEqualTo("scatterGather");

        JsonNode one = MAPPER.readTree(line(event(Given.routed(List.of(single), 0))));
        assertThat(one.has("statements")).isFalse();
    }

    @Test
    void aHostileNameIsEscapedAndCut() throws IOException {
        AuditSource source = new AuditSource(
                "127.0.0.1:27100", 1, new ClientInfo("10.1.2.3:5", "a\n{\"seq\":1}\"".repeat(100), null, null, null));
        String line = line(new AuditEvent(
                STAMP,
                source,
                SUBJECT,
                RecordedRoute.of(Given.broadcast(), "", List.of(), null),
                Given.LOGGED,
                Given.UNSEEN));

        assertThat(line).containsOnlyOnce("\n");
        assertThat(MAPPER.readTree(line).at("/client/app").asText())
                .hasSize(JsonFields.MAX_TEXT_CHARS)
                .endsWith("…");
    }

    @Test
    void everyFieldIsDescribed() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "audit-log.md"));
        Set<String> paths = paths(MAPPER.readTree(line(fullEvent())));
        byte[] gap = new JsonLines().gap(new Gap(3, 5), Given.NOW, Given.settings(AuditSettings.Recording.ALL, 1));
        paths.addAll(paths(MAPPER.readTree(gap)));
        paths.addAll(paths(MAPPER.readTree(line(verdict(Given.LOGGED.explaining(Given.REFUSED))))));
        Literals literals = new Literals(new CutJson.Text("{", true), "for ann");
        paths.addAll(paths(MAPPER.readTree(
                line(new AuditEvent(STAMP, Given.SOURCE, SUBJECT, null, Given.LOGGED, Given.ANSWERED, literals)))));
        for (AuditEvent.Subject subject : new AuditEvent.Subject[] {SUBJECT, null}) {
            FindingCounts counts =
                    new FindingCounts(subject, "checkout", new FindingCounts.Tally(Given.NOW, Given.NOW, 1, 1, 1, 1));
            paths.addAll(paths(MAPPER.readTree(new JsonLines().counts(STAMP, counts))));
        }

        assertThat(paths)
                .contains(
                        "statements[].shards",
                        "route.contacted",
                        "fixFilter",
                        "gap.count",
                        "verdict.explained.rule",
                        "shape.queryShapeHash",
                        "counts.other",
                        "body.text",
                        "body.cut",
                        "counts.serverMicros")
                .hasSizeGreaterThan(50);
        assertThat(paths).allSatisfy(path -> assertThat(manual).contains("| `" + path + "` |"));
    }

    @Test
    void aDeclaredKeyIsToldFromACluster() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "audit-log.md"));
        RecordedRoute cluster = RecordedRoute.of(Given.broadcast(), "", List.of(), null);
        RecordedRoute.Basis basis = cluster.basis();
        RecordedRoute declared = new RecordedRoute(
                cluster.worst(),
                cluster.placement(),
                cluster.certainty(),
                cluster.intrinsic(),
                cluster.targets(),
                new RecordedRoute.Basis(basis.viewOn(), basis.shardKey(), null, basis.release(), true, false, true),
                cluster.why(),
                cluster.fix(),
                cluster.notes(),
                cluster.wouldFail(),
                cluster.statements());
        JsonNode route = MAPPER.readTree(
                        line(new AuditEvent(STAMP, Given.SOURCE, SUBJECT, declared, Given.LOGGED, Given.ANSWERED)))
                .get("route");

        assertThat(route.get("declared").asBoolean()).isTrue();
        assertThat(route.get("boundsKnown").asBoolean(true)).isFalse();
        assertThat(route.has("tableVersion")).isFalse();
        assertThat(manual).contains("| `route.declared` |", "| `route.boundsKnown` |");
        JsonNode known = MAPPER.readTree(
                        line(new AuditEvent(STAMP, Given.SOURCE, SUBJECT, cluster, Given.LOGGED, Given.ANSWERED)))
                .get("route");
        assertThat(known.has("declared") || known.has("boundsKnown")).isFalse();
    }

    @Test
    void everyNoteIsDescribed() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "audit-log.md"));
        assertThat(Note.Name.values())
                .allSatisfy(name ->
                        assertThat(manual).containsPattern("(?m)^\\| `" + name.text() + "` \\| [^|]+ \\| [^|]+ \\|$"));
        assertThat(Note.Name.values()).extracting(Note.Name::text).doesNotHaveDuplicates();
    }

    /** A reader may compute the example's hash to check their own code. */
    @Test
    void theManualsExampleIsTrue() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "audit-log.md"));
        String example = manual.lines()
                .filter(line -> line.startsWith("{\"seq\"") && line.contains("\"verdict\""))
                .findFirst()
                .orElseThrow();
        QueryShape shape = QueryShapes.of(Given.command("{find: 'orders', filter: {userId: 5}, limit: 3}"));

        assertThat(MAPPER.readTree(example).at("/shape/text").asText()).isEqualTo(shape.text());
        assertThat(MAPPER.readTree(example).at("/shape/hash").asText()).isEqualTo(shape.hash());
    }

    @Test
    void everyVerdictFieldIsWritten() throws IOException {
        AuditEvent event = new AuditEvent(
                STAMP,
                Given.SOURCE,
                SUBJECT,
                RecordedRoute.of(Given.broadcast(), "", List.of(), null),
                new Verdict(Action.LOG, true, "r", null, "rule", 9),
                Given.ANSWERED);

        assertThat(MAPPER.readTree(line(event)).get("verdict")).isEqualTo(MAPPER.readTree("""
                {"action": "log", "wouldRefuse": true, "rule": "r", "reason": "rule", "policyVersion": 9}
                """));
    }

    @Test
    void whatAnExplainedCommandWouldHaveGotIsWritten() throws IOException {
        Verdict inner = new Verdict(Action.REFUSE, false, "r", null, "rule", 9);
        Verdict exempted = new Verdict(Action.ALLOW, false, "r", "nightly", "exempted", 9);
        Verdict explain = new Verdict(Action.ALLOW, false, null, null, "neverRefused", 9);

        assertThat(MAPPER.readTree(line(verdict(explain.explaining(inner)))).at("/verdict"))
                .isEqualTo(MAPPER.readTree("""
                {"action": "allow", "wouldRefuse": false, "reason": "neverRefused", "policyVersion": 9,
                 "explained": {"action": "refuse", "wouldRefuse": false, "rule": "r", "reason": "rule"}}
                """));
        assertThat(MAPPER.readTree(line(verdict(explain.explaining(exempted)))).at("/verdict/explained/exemption"))
                .hasToString("\"nightly\"");
    }

    private static AuditEvent verdict(Verdict verdict) {
        RecordedRoute route = RecordedRoute.of(Given.broadcast(), "", List.of(), null);
        return new AuditEvent(STAMP, Given.SOURCE, SUBJECT, route, verdict, Given.ANSWERED);
    }

    /** {@code a.b} for a member, {@code a[].b} for one of a list's objects. */
    private static Set<String> paths(JsonNode node) {
        Set<String> paths = new TreeSet<>();
        collect("", node, paths);
        return paths;
    }

    private static void collect(String prefix, JsonNode node, Set<String> paths) {
        for (var member : node.properties()) {
            String path = prefix + member.getKey();
            JsonNode value = member.getValue();
            paths.add(path);
            if (value.isObject()) {
                collect(path + ".", value, paths);
            }
            for (JsonNode element : value.isArray() ? value : MAPPER.createArrayNode()) {
                collect(path + "[].", element, paths);
            }
        }
    }
}
