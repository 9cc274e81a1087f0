package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.scatterguard.proxy.session.MeterLog.Ended;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every request is measured once, when it has ended. */
class MeasuredCommandsTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String REFUSED = "{find: 'refused', filter: {}, $db: 'shop'}";
    private static final int OK_BYTES = bytes("{ok: 1.0}");

    private final SessionFixture f = SessionFixture.connected();

    MeasuredCommandsTest() {
        f.meter.ended.clear();
        f.outcomes.clear();
    }

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static int bytes(String request) {
        ByteBuf frame = SessionFixture.frame(0, 0, 0, request);
        int bytes = frame.readableBytes();
        frame.release();
        return bytes;
    }

    @Test
    void theTimeIsSplitAtTheForwarding() {
        f.request(1, FIND);
        assertThat(f.meter.ended).isEmpty();
        f.nanos += 5_000;
        f.reply(101, 1, 0, "{ok: 1.0}");

        assertThat(f.meter.ended).containsExactly(new Ended("find log", 0, 5_000, bytes(FIND), OK_BYTES));
    }

    @Test
    void aRefusalHasNoServerTimeAndTakesUntilItsTurn() {
        f.request(1, FIND);
        f.request(2, REFUSED);
        f.nanos += 5_000;
        f.reply(101, 1, 0, "{ok: 1.0}");

        assertThat(f.meter.ended).extracting(Ended::command).containsExactly("find log", "find refuse");
        assertThat(f.meter.ended.get(1).serverNanos()).isEqualTo(CommandMeter.NO_SERVER);
        assertThat(f.meter.ended.get(1).proxyNanos()).isEqualTo(5_000);
        assertThat(f.meter.ended.get(1).replyBytes()).isPositive();
    }

    @Test
    void whatNoServerAnswersHasNoServerTime() {
        f.request(1, FIND);
        f.nanos += 5_000;
        f.session.close(CloseCause.SERVER_CLOSED);

        assertThat(f.meter.ended).containsExactly(new Ended("find log", 0, CommandMeter.NO_SERVER, bytes(FIND), 0));
    }

    @Test
    void aHandshakeIsMeasuredButNotJudged() {
        String hello = "{hello: 1, $db: 'admin'}";
        f.request(1, hello);
        f.reply(101, 1, 0, "{ok: 1.0}");

        assertThat(f.meter.ended).containsExactly(new Ended("", 0, 0, bytes(hello), OK_BYTES));
    }

    /** The fault of a recorder must not lose a measurement, nor the other way round. */
    @Test
    void whatIsNotRecordedIsMeasuredAllTheSame() {
        f.recording = false;
        f.request(1, FIND);
        f.reply(101, 1, 0, "{ok: 1.0}");

        assertThat(f.outcomes).isEmpty();
        assertThat(f.meter.ended).hasSize(1);
    }

    @Test
    void connectionsAreCountedByState() {
        SessionFixture fresh = new SessionFixture();
        assertStates(fresh.counters, 0, 0);
        fresh.request(1, FIND);
        assertStates(fresh.counters, 1, 0);
        fresh.session.onServerConnected(fresh.server);
        assertStates(fresh.counters, 0, 1);
        fresh.session.close(CloseCause.SERVER_CLOSED);
        assertStates(fresh.counters, 0, 0);
        assertThat(fresh.counters.openConnections()).isZero();
    }

    @Test
    void aConnectionThatCannotBeMadeLeavesItsState() {
        SessionFixture fresh = new SessionFixture();
        fresh.request(1, FIND);
        fresh.session.onConnectFailed(new IOException("refused"));
        assertStates(fresh.counters, 0, 0);
    }

    private static void assertStates(SessionCounters counters, int connecting, int connected) {
        assertThat(counters.connectingConnections()).isEqualTo(connecting);
        assertThat(counters.connectedConnections()).isEqualTo(connected);
    }
}
