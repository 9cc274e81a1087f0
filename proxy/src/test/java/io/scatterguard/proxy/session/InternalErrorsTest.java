package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of our own never become the application's, and a client cannot fake them. */
class InternalErrorsTest {
    private static final String REFUSED = "{find: 'refused', filter: {}, $db: 'shop'}";
    private static final String OK = "{ok: 1.0}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aRouterOrPolicyThatFailsForwardsAndIsCounted(Throwable fault) {
        SessionFixture f = SessionFixture.connected();
        f.router = (command, catalog, release) -> {
            throw InternalErrorsTest.<RuntimeException>sneaky(fault);
        };
        f.request(1, REFUSED);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.internalErrorCount()).isEqualTo(1);
        SessionFixture g = SessionFixture.connected();
        g.policy = (command, route, client, now) -> {
            throw InternalErrorsTest.<RuntimeException>sneaky(fault);
        };
        g.request(1, REFUSED);
        assertThat(g.server.requestIds()).containsExactly(1);
        assertThat(g.counters.internalErrorCount()).isEqualTo(1);
    }

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("planted"),
                new StackOverflowError("planted"),
                new AssertionError("planted"),
                new NoClassDefFoundError("planted"));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable fault) throws E {
        throw (E) fault;
    }

    @Test
    void tenInternalErrorsInAMinuteTripToBypass() {
        SessionFixture f = SessionFixture.connected();
        int[] calls = {0};
        f.router = (command, catalog, release) -> {
            calls[0]++;
            throw new IllegalStateException("planted");
        };
        for (int id = 1; id <= 12; id++) {
            f.request(id, REFUSED);
            f.reply(100 + id, id, 0, OK);
        }
        assertThat(calls[0]).isEqualTo(10);
        assertThat(f.server.requestIds()).hasSize(12);
    }

    @Test
    void inBypassNothingIsRoutedJudgedOrRecorded() {
        SessionFixture f = SessionFixture.connected();
        int routed = f.releases.size();
        f.policy = new Policy() {
            @Override
            public Verdict decide(CommandView command, Route route, ClientInfo client, Instant now) {
                throw new AssertionError("judged in bypass");
            }

            @Override
            public boolean isBypass() {
                return true;
            }
        };
        f.request(1, REFUSED);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.releases).hasSize(routed);
        assertThat(f.sources).hasSize(1);
        assertThat(f.counters.internalErrorCount()).isZero();
    }

    @Test
    void malformedFiltersAreTheServersToAnswerAndNeverTripTheBreaker() {
        SessionFixture f = SessionFixture.connected();
        f.router = (command, catalog, release) -> {
            throw new MalformedBsonException("planted");
        };
        for (int id = 1; id <= 20; id++) {
            f.request(id, REFUSED);
            f.reply(100 + id, id, 0, OK);
        }
        assertThat(f.server.requestIds()).hasSize(20);
        assertThat(f.counters.internalErrorCount()).isZero();
    }

    @Test
    void tenInternalErrorsOverALongerTimeDoNot() {
        SessionFixture f = SessionFixture.connected();
        int[] calls = {0};
        f.router = (command, catalog, release) -> {
            calls[0]++;
            throw new IllegalStateException("planted");
        };
        for (int id = 1; id <= 12; id++) {
            f.nanos += 7_000_000_000L;
            f.request(id, REFUSED);
            f.reply(100 + id, id, 0, OK);
        }
        assertThat(calls[0]).isEqualTo(12);
    }
}
