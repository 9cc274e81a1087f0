package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** {@code onInternalError: refuse}: what could not be judged is refused, as far as anything could refuse it. */
class OnInternalErrorTest {
    private static final long VERSION = 7;
    private static final String FIND = "{find: 'c', filter: {a: 'sesame'}, $db: 'shop'}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static SessionFixture failing(Action onInternalError, String detail) {
        return failing(onInternalError, "enforce", detail);
    }

    private static SessionFixture failing(Action onInternalError, String mode, String detail) {
        SessionFixture f = SessionFixture.connected();
        f.router = (command, catalog, release) -> {
            throw new IllegalStateException("planted");
        };
        String yaml =
                "listeners: [{upstream: {hosts: [a]}}]\npolicy: {mode: " + mode + ", refusalDetail: " + detail + "}\n";
        f.judge.use(CompiledPolicy.compile(ConfigReader.read(yaml, Map.of()).policy(), VERSION), onInternalError);
        return f;
    }

    private static Verdict last(SessionFixture f) {
        return f.verdicts.get(f.verdicts.size() - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FIND,
                "{delete: 'c', deletes: [], $db: 'shop'}",
                "{bulkWrite: 1, ops: [], nsInfo: [], $db: 'admin'}",
                "{createIndexes: 'c', indexes: [], $db: 'shop'}",
                "{listDatabases: 1, $db: 'admin'}"
            })
    void whatARuleCouldRefuseIsRefused(String command) {
        SessionFixture f = failing(Action.REFUSE, "full");
        f.request(1, command);

        assertThat(f.server.written).isEmpty();
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(last(f).reason()).isEqualTo(Reasons.INTERNAL_ERROR);
        SessionFixture forwarding = failing(Action.ALLOW, "full");
        forwarding.request(1, command);
        assertThat(forwarding.server.requestIds()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{endSessions: [], $db: 'admin'}",
                "{killCursors: 'c', cursors: [], $db: 'shop'}",
                "{getMore: {$numberLong: '5'}, collection: 'c', $db: 'shop'}",
                "{commitTransaction: 1, $db: 'admin'}",
                "{ping: 1, $db: 'admin'}",
                "{find: 'settings', $db: 'config'}"
            })
    void whatNoRuleCanRefuseIsForwarded(String command) {
        SessionFixture f = failing(Action.REFUSE, "full");
        f.request(1, command);

        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(last(f).action()).isEqualTo(Action.ALLOW);
        assertThat(last(f).reason()).isEqualTo(Reasons.INTERNAL_ERROR);
    }

    @Test
    void whoOnlyObservesRefusesNothing() {
        SessionFixture f = failing(Action.REFUSE, "observe", "full");
        f.request(1, FIND);

        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(last(f).reason()).isEqualTo(Reasons.INTERNAL_ERROR);
    }

    /** What the fix would be nobody knows, and no exemption is looked at. */
    @Test
    void itSaysWhatHappened() {
        SessionFixture f = failing(Action.REFUSE, "full");
        f.request(1, FIND);
        BsonDocument refusal = f.lastReply();

        assertThat(refusal.getString("errmsg").getValue())
                .startsWith("Scatterguard refused find on shop.c: a fault of the proxy kept it from being judged")
                .contains("policy.onInternalError")
                .doesNotContain(RefusalText.EXEMPTING_COMMENT, "sesame", "planted");
        BsonDocument details = refusal.getDocument("scatterguard");
        assertThat(details.getString("reason").getValue()).isEqualTo("internalError");
        assertThat(details.getBoolean("exemptible").getValue()).isFalse();
        assertThat(details).doesNotContainKey("fix");
        SessionFixture names = failing(Action.REFUSE, "namesOnly");
        names.request(1, FIND);
        assertThat(names.lastReply().getString("errmsg").getValue()).isEqualTo("Scatterguard refused find on shop.c.");
    }

    @Test
    void theRecordHasTheVersionOfThePolicy() {
        SessionFixture f = failing(Action.REFUSE, "full");
        f.request(1, FIND);
        assertThat(last(f).policyVersion()).isEqualTo(VERSION);
    }

    @Test
    void theLogSaysWhatIsDone() {
        Logger log = (Logger) LoggerFactory.getLogger(InternalErrorBreaker.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            failing(Action.REFUSE, "full").request(1, FIND);
            failing(Action.REFUSE, "full").request(1, "{ping: 1, $db: 'admin'}");
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "internal error while judging; the command is refused: command=find",
                        "internal error while judging; the command is forwarded: command=ping");
    }
}
