package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.audit.AuditSettings.Values;
import io.scatterguard.proxy.routing.Route;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records with {@code values: full}: what is in them, where it ends, and what never is. */
class LiteralsTest {
    private static final CommandView FIND = Given.command(
            "{find: 'orders', filter: {email: 'ann@example.com'}, comment: 'for ann, test:A#b', $db: 'shop', lsid: {id: 1}}");

    private static BsonDocument body(CommandView command) {
        Literals literals = Literals.of(command);
        assertThat(literals).isNotNull();
        assertThat(literals.body().cut()).isFalse();
        return BsonDocument.parse(literals.body().json());
    }

    private static String line(Values values, Findings findings, CommandView command, Route route) {
        Given.MemorySink sink = new Given.MemorySink();
        AuditSettings settings =
                new AuditSettings("staging-eu", "proxy-1", Recording.ALL, findings, 10, Duration.ofSeconds(5), values);
        AuditPipeline pipeline = Given.pipeline(settings, sink);
        Auditor.PendingRecord pending = pipeline.begin(command, route, Given.LOGGED, Given.SOURCE);
        if (pending != null) {
            pipeline.end(pending, Given.ANSWERED);
        }
        pipeline.close();
        return String.join("", sink.lines);
    }

    private static String full(CommandView command) {
        return line(Values.FULL, Findings.EVERY, command, Given.broadcast());
    }

    @Test
    void aRecordHasTheWholeCommandAndItsComment() {
        BsonDocument record = BsonDocument.parse(full(FIND));
        assertThat(record.getString("comment").getValue()).isEqualTo("for ann, test:A#b");
        BsonDocument body = record.getDocument("body");
        assertThat(body).doesNotContainKey("cut");
        assertThat(BsonDocument.parse(body.getString("text").getValue()))
                .isEqualTo(BsonDocument.parse(
                        "{find: 'orders', filter: {email: 'ann@example.com'}, comment: 'for ann, test:A#b'}"));
        assertThat(record.getDocument("shape").getString("text").getValue()).doesNotContain("ann");
    }

    /** The neighbour. */
    @Test
    void withShapeARecordHasNeither() {
        BsonDocument record = BsonDocument.parse(line(Values.SHAPE, Findings.EVERY, FIND, Given.broadcast()));
        assertThat(record).doesNotContainKey("body");
        assertThat(record.getString("comment").getValue()).isEqualTo("test:A#b");
        assertThat(record.toJson()).doesNotContain("ann");
    }

    /** What is counted has no record of its own, and so no values. */
    @Test
    void countsHaveNone() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1", Recording.FINDINGS, Findings.SAMPLED, 10, Duration.ofSeconds(5), Values.FULL);
        AuditPipeline pipeline = Given.pipeline(settings, sink);
        for (int i = 0; i < 3; i++) {
            Auditor.PendingRecord pending = pipeline.begin(FIND, Given.broadcast(), Given.LOGGED, Given.SOURCE);
            assertThat(pending).isNotNull();
            pipeline.end(pending, Given.ANSWERED);
        }
        pipeline.close();
        assertThat(sink.lines).hasSize(2);
        assertThat(sink.lines.get(0)).contains("ann@example.com");
        assertThat(sink.lines.get(1)).contains("\"counts\"").doesNotContain("ann");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{hello: 1, speculativeAuthenticate: {saslStart: 1, payload: 's3cret'}, $db: 'admin'}",
                "{isMaster: 1, client: {application: {name: 's3cret'}}, $db: 'admin'}",
                "{saslStart: 1, payload: 's3cret', $db: 'admin'}",
                "{createUser: 'ann', pwd: 's3cret', roles: [], $db: 'admin'}",
                "{explain: {createUser: 'ann', pwd: 's3cret', roles: []}, $db: 'admin'}",
                "{explain: {setParameter: 1, ldapQueryPassword: 's3cret'}, $db: 'admin'}",
                "{explain: {explain: {find: 'a', filter: {a: 's3cret'}}}, $db: 'admin'}",
                "{explain: 1, pwd: 's3cret', $db: 'admin'}",
                "{setParameter: 1, ldapQueryPassword: 's3cret', $db: 'admin'}",
                "{someCommandOfTomorrow: 1, password: 's3cret', $db: 'admin'}",
                "{hello: 1, comment: 's3cret', $db: 'admin'}",
                "{create: 'a', validator: {a: 's3cret'}, $db: 'shop'}"
            })
    void whatIsNoReadOrWriteHasNone(String command) {
        CommandView view = Given.command(command);
        assertThat(Literals.of(view)).isNull();
        assertThat(line(Values.FULL, Findings.EVERY, view, Given.notRouted(view.database())))
                .doesNotContain("s3cret");
    }

    @Test
    void anExplainHasTheCommandInsideIt() {
        String explain = "{explain: {find: 'orders', filter: {a: {$oid: '5f0000000000000000000001'}}}, verbosity: 'x'}";
        assertThat(body(Given.command(explain))).isEqualTo(BsonDocument.parse(explain));
    }

    @Test
    void documentSequencesStandBehindTheBody() {
        CommandView insert = Given.commandWithSequence(
                "{insert: 'orders', ordered: true, $db: 'shop'}",
                "documents",
                List.of(BsonDocument.parse("{_id: 1, a: [1, {b: 'x'}]}"), BsonDocument.parse("{_id: 2}")));
        assertThat(body(insert))
                .isEqualTo(BsonDocument.parse(
                        "{insert: 'orders', ordered: true, documents: [{_id: 1, a: [1, {b: 'x'}]}, {_id: 2}]}"));
    }

    @Test
    void aLongCommandIsCut() {
        BsonArray list = new BsonArray(
                IntStream.range(0, 2_000).<BsonValue>mapToObj(BsonInt32::new).toList());
        BsonDocument command = new BsonDocument("find", new BsonString("orders"))
                .append("filter", new BsonDocument("a", new BsonDocument("$in", list)));
        CutJson.Text text = Literals.of(Given.command(command)).body();
        assertThat(text.cut()).isTrue();
        assertThat(text.json())
                .hasSize(Literals.MAX_BODY_CHARS)
                .startsWith("{\"find\": \"orders\", \"filter\": {\"a\": {\"$in\": [0, 1, 2, ")
                .endsWith("…");
        assertThat(BsonDocument.parse(full(Given.command(command)))
                        .getDocument("body")
                        .getBoolean("cut")
                        .getValue())
                .isTrue();
    }

    /** A value that alone is longer than the whole text may be is not even decoded. */
    @Test
    void aHugeValueEndsTheText() {
        BsonDocument filter = new BsonDocument("a", new BsonInt32(1))
                .append("b", new BsonBinary(new byte[CutJson.MAX_VALUE_BYTES + 1]))
                .append("c", new BsonString("behind it"));
        BsonDocument command = new BsonDocument("find", new BsonString("orders")).append("filter", filter);
        assertThat(Literals.of(Given.command(command)).body())
                .isEqualTo(new CutJson.Text("{\"find\": \"orders\", \"filter\": {\"a\": 1, \"b\": …", true));
        BsonDocument named = new BsonDocument("n".repeat(CutJson.MAX_VALUE_BYTES + 1), new BsonInt32(1));
        command.append("filter", named);
        assertThat(Literals.of(Given.command(command)).body().cut()).isTrue();
    }

    @Test
    void aCommentThatIsADocumentIsWrittenAsOne() {
        assertThat(Literals.of(Given.command("{find: 'a', comment: {ticket: 7, by: 'ann'}}"))
                        .comment())
                .isEqualTo("{\"ticket\": 7, \"by\": \"ann\"}");
        assertThat(Literals.of(Given.command("{find: 'a', comment: 7}")).comment())
                .isNull();
        assertThat(Literals.of(Given.command("{find: 'a', comment: '" + "x".repeat(2_000) + "'}"))
                        .comment())
                .hasSize(Literals.MAX_COMMENT_CHARS)
                .endsWith("…");
    }

    @Test
    void aMalformedCommandHasNone() {
        assertThat(Literals.of(Given.malformedFind())).isNull();
    }
}
