package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.policy.Action;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code whenFull: block}: clients whose commands are recorded are not read while there is no room for their records. */
class AuditWaitTest {
    @AfterEach
    void close() {
        SessionFixture.closeAll();
    }

    private static void find(SessionFixture f, int requestId) {
        f.request(requestId, "{find: 'orders', $db: 'shop'}");
    }

    @Test
    void aRecordedCommandPausesItsClientUntilThereIsRoom() {
        SessionFixture f = SessionFixture.connected();
        find(f, 1);
        assertThat(f.client.reading).isTrue();

        f.pressure.raise();
        assertThat(f.client.reading).as("who sends nothing is not bothered").isTrue();
        find(f, 2);
        assertThat(f.client.reading).isFalse();
        assertThat(f.server.written).as("what came is forwarded all the same").hasSize(2);
        f.reply(1001, 1, 0, "{ok: 1.0}");
        assertThat(f.client.written).as("and answered").hasSize(1);
        assertThat(f.client.reading).isFalse();

        f.pressure.lower();
        f.loop.run();
        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    @Test
    void aCommandWithoutRecordPausesNobody() {
        SessionFixture f = SessionFixture.connected();
        f.recording = false;
        f.pressure.raise();
        find(f, 1);

        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    /** One that only others have a part in, such as a trace. */
    @Test
    void aCommandOfWhichTheAuditLogHasNothingPausesNobody() {
        SessionFixture f = SessionFixture.connected();
        f.audited = false;
        f.pressure.raise();
        find(f, 1);

        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    @Test
    void whatIsFullAgainBeforeTheClientIsReadKeepsItPaused() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        find(f, 1);
        f.pressure.lower();
        f.pressure.raise();
        f.loop.run();
        assertThat(f.client.reading).isFalse();
        assertThat(f.pressure.paused()).isEqualTo(1);

        f.pressure.lower();
        f.loop.run();
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void aSessionThatEndsIsForgotten() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        find(f, 1);
        find(f, 2);
        assertThat(f.pressure.paused()).as("once for a session").isEqualTo(1);
        f.session.close(CloseCause.CLIENT_CLOSED);

        assertThat(f.pressure.paused()).isZero();
        f.pressure.lower();
        f.loop.run();
        assertThat(f.client.reading).isFalse();
    }

    private static void trip(SessionFixture f) {
        for (int i = 0; i < InternalErrorBreaker.LIMIT; i++) {
            f.judge.failed(new IllegalStateException("simulated"), "find", "forwarded");
        }
    }

    @Test
    void nobodyIsPausedInBypass() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        trip(f);
        find(f, 1);

        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    @Test
    void aBypassFreesWhoIsPaused() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        find(f, 1);
        f.policy = PolicyBypass.BYPASS;
        f.judge.use(f.judged, Action.ALLOW);
        f.loop.run();

        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    @Test
    void aBreakerThatTripsFreesWhoIsPaused() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        find(f, 1);
        trip(f);
        f.loop.run();

        assertThat(f.client.reading).isTrue();
        assertThat(f.pressure.paused()).isZero();
    }

    /** The neighbour. */
    @Test
    void anotherChangeOfThePolicyFreesNobody() {
        SessionFixture f = SessionFixture.connected();
        f.pressure.raise();
        find(f, 1);
        f.judge.use(f.judged, Action.REFUSE);
        f.loop.run();

        assertThat(f.client.reading).isFalse();
        assertThat(f.pressure.paused()).isEqualTo(1);
    }
}
