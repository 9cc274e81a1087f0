package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends a session besides its peers: idleness, the end of the client's stream; and what must not. */
class SessionLimitsTest {
    private static final String STATUS = "{scatterguard: 1, $db: 'admin'}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void anIdleSessionIsClosed() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.session.onIdle();
        assertThat(fixture.counters.closes(CloseCause.IDLE_TIMEOUT)).isEqualTo(1);
        assertThat(fixture.client.closed).isTrue();
        assertThat(fixture.server.closed).isTrue();
    }

    @Test
    void oneThatNeverAskedAnythingIsIdleToo() {
        SessionFixture fixture = new SessionFixture();
        fixture.session.onIdle();
        assertThat(fixture.counters.closes(CloseCause.IDLE_TIMEOUT)).isEqualTo(1);
    }

    @Test
    void aCommandThatRunsIsNotIdle() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.request(1, "{find: 'c', $db: 'shop'}");
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isFalse();
        fixture.reply(1001, 1, 0, "{ok: 1.0}");
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isTrue();
    }

    @Test
    void aClientIsNotReadWhileManyBytesOfOurOwnRepliesWaitForTheirTurn() {
        BsonDocument large = new BsonDocument("filler", new BsonBinary(new byte[InFlightQueue.MAX_LOCAL_BYTES / 2]));
        SessionFixture fixture = SessionFixture.connected(
                AccessControl.learnt(false), new ListenerTraits(Set.of(), () -> large.clone()));
        fixture.request(1, "{hello: 1, $db: 'admin'}");
        fixture.request(2, STATUS);
        assertThat(fixture.client.reading).isTrue();
        fixture.request(3, STATUS);
        assertThat(fixture.client.reading).isFalse();
        fixture.reply(1001, 1, 0, "{ok: 1.0}");
        assertThat(fixture.client.responsesTo()).containsExactly(1, 2, 3);
        assertThat(fixture.client.reading).isTrue();
    }

    @Test
    void aStreamOfRepliesIsNeverIdle() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.request(1, "{hello: 1, $db: 'admin'}");
        fixture.reply(1001, 1, 2, "{ok: 1.0}");
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isFalse();
    }

    @Test
    void oneThatWaitsForTheServerConnectionIsNotIdle() {
        SessionFixture fixture = new SessionFixture();
        fixture.request(1, "{ping: 1, $db: 'admin'}");
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isFalse();
    }

    @Test
    void oneThatIsNotReadIsNotIdle() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.session.onRequestWaiting(true);
        assertThat(fixture.client.reading).isFalse();
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isFalse();
        fixture.session.onRequestWaiting(false);
        assertThat(fixture.client.reading).isTrue();
        fixture.session.onIdle();
        assertThat(fixture.session.isClosed()).isTrue();
    }

    @Test
    void theEndOfTheClientsStreamClosesBothSides() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.session.onClientEnd(true);
        assertThat(fixture.counters.closes(CloseCause.CLIENT_CLOSED)).isEqualTo(1);
        assertThat(fixture.client.closed).isTrue();
        assertThat(fixture.server.closed).isTrue();
    }

    @Test
    void whileACommandRunsItDoesSoBeforeEverythingWasHandedOver() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.request(1, "{find: 'c', $db: 'shop'}");
        fixture.session.onClientEnd(false);
        assertThat(fixture.server.closed).isTrue();
        assertThat(fixture.outcomes).hasSize(2);
    }

    @Test
    void whileNothingIsAwaitedWhatIsStillToBeHandedOverIsForwarded() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.session.onClientEnd(false);
        assertThat(fixture.session.isClosed()).isFalse();
        fixture.request(SessionFixture.frame(1, 0, 2, "{insert: 'c', $db: 'shop'}"));
        fixture.session.onClientEnd(true);
        assertThat(fixture.server.requestIds()).containsExactly(1);
        assertThat(fixture.server.flushed).isEqualTo(1);
        assertThat(fixture.server.closed).isTrue();
    }
}
