package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which commands get a record, and what of them. */
class RecordedCommandsTest {
    private static final CommandView FIND = Given.command("{find: 'orders', filter: {userId: 1}}");

    private static boolean begins(Recording recording, CommandView command, Route route, Verdict verdict) {
        try (AuditPipeline pipeline = Given.pipeline(Given.settings(recording, 10))) {
            boolean begun = pipeline.begin(command, route, verdict, Given.SOURCE) != null;
            assertThat(pipeline.internalErrors()).isZero();
            return begun;
        }
    }

    @Test
    void findingsAreWhatIsLoggedRefusedOrExempted() {
        assertThat(begins(Recording.FINDINGS, FIND, Given.broadcast(), Given.LOGGED))
                .isTrue();
        assertThat(begins(Recording.FINDINGS, FIND, Given.broadcast(), Given.REFUSED))
                .isTrue();
        assertThat(begins(Recording.FINDINGS, FIND, Given.broadcast(), Given.EXEMPTED))
                .isTrue();
        assertThat(begins(Recording.FINDINGS, FIND, Given.broadcast(), Given.ALLOWED))
                .isFalse();
    }

    @Test
    void routedIsWhatAShardKeyDecidesAndAllIsTheRestToo() {
        CommandView ping = Given.command("{ping: 1}");

        assertThat(begins(Recording.ROUTED, FIND, Given.broadcast(), Given.ALLOWED))
                .isTrue();
        assertThat(begins(Recording.ROUTED, ping, Given.notRouted("admin"), Given.ALLOWED))
                .isFalse();
        assertThat(begins(Recording.ALL, ping, Given.notRouted("admin"), Given.ALLOWED))
                .isTrue();
    }

    /** For instance of a transaction that has ended: a refusal has no route where the command is not looked at. */
    @Test
    void routedHasEveryFindingToo() {
        Route none = Given.notRouted("admin");

        assertThat(begins(Recording.ROUTED, Given.command("{commitTransaction: 1}"), none, Given.REFUSED))
                .isTrue();
        assertThat(begins(Recording.ROUTED, FIND, none, Given.LOGGED)).isTrue();
        assertThat(begins(Recording.ROUTED, FIND, none, Given.EXEMPTED)).isTrue();
    }

    @Test
    void commandsWithCredentialsAreNeverRecorded() {
        for (String json : List.of(
                "{saslStart: 1, payload: 'x'}",
                "{saslContinue: 1}",
                "{authenticate: 1}",
                "{createUser: 'bob', pwd: 'x'}",
                "{usersInfo: 1}",
                "{grantPrivilegesToRole: 'r', privileges: []}",
                "{explain: {createUser: 'bob', pwd: 'x'}}")) {
            assertThat(begins(Recording.ALL, Given.command(json), Given.notRouted("admin"), Given.REFUSED))
                    .as(json)
                    .isFalse();
        }
        assertThat(begins(Recording.ALL, Given.command("{explain: {find: 'c'}}"), Given.broadcast(), Given.LOGGED))
                .isTrue();
    }

    @Test
    void aHandshakeIsItsNameOnly() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.ALL, 10), sink);
        CommandView hello = Given.command("{ismaster: 1, comment: 'test:x', speculativeAuthenticate: {payload: 'x'}}");
        pipeline.end(pipeline.begin(hello, Given.notRouted("admin"), Given.ALLOWED, Given.SOURCE), Given.ANSWERED);
        pipeline.close();

        assertThat(sink.lines)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("\"command\":\"isMaster\"")
                        .doesNotContain("\"shape\"", "\"comment\"", "payload", "\"route\"", "not-a-collection"));
    }

    @Test
    void whatWaitsInTheQueueIsNotAsLongAsAClientLikes() {
        CommandView command = Given.command("{find: '" + "c".repeat(100_000) + "', filter: {}}");
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.ALL, 10), new Given.MemorySink());
        for (Route route : List.of(Given.broadcast(), Given.notRouted("d".repeat(100_000)))) {
            AuditPipeline.Sighted sighted =
                    (AuditPipeline.Sighted) pipeline.begin(command, route, Given.LOGGED, Given.SOURCE);
            assertThat(sighted).isNotNull();
            assertThat(sighted.sighting().subject().namespace().fullName()).hasSizeLessThan(600);
            PendingEvent pending = (PendingEvent) sighted.record();
            assertThat(pending.subject().namespace().fullName()).hasSizeLessThan(600);
            assertThat(pending.subject().shape()).isNotNull();
            assertThat(pending.subject().shape().text()).hasSizeLessThan(3_000);
        }
        pipeline.close();
    }

    @Test
    void aMalformedCommandIsRecordedWithoutItsShape() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.ALL, 10), sink);
        pipeline.end(
                pipeline.begin(Given.malformedFind(), Given.broadcast(), Given.LOGGED, Given.SOURCE), Given.UNSEEN);
        pipeline.close();

        assertThat(sink.lines)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("\"command\":\"find\"", "\"why\"")
                        .doesNotContain("\"hash\""));
        assertThat(pipeline.internalErrors()).isZero();
    }
}
