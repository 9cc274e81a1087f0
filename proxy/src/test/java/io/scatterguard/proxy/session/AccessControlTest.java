package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a listener learns about its cluster's access control, from one connection for all others. */
class AccessControlTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String REFUSED = "{find: 'refused', filter: {}, $db: 'shop'}";
    private static final String PLAIN =
            "{saslStart: 1, mechanism: 'PLAIN', payload: {$binary: {base64: 'AGEAYg==', subType: '00'}}, $db: '$external'}";
    private static final String DENIED = "{ok: 0.0, code: 13, errmsg: 'command find requires authentication'}";

    private final AccessControl shared = AccessControl.learnt(false);

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void whereNothingIsKnownACommandIsRefused() {
        assertRefused(true);
    }

    @Test
    void aDeniedCommandShowsThatClientsMustAuthenticate() {
        SessionFixture first = connected();
        first.request(1, FIND);
        first.reply(101, 1, 0, DENIED);
        assertRefused(false);
    }

    @Test
    void anErrorOfAnotherKindShowsNothing() {
        SessionFixture first = connected();
        first.request(1, FIND);
        first.reply(101, 1, 0, "{ok: 0.0, code: 26}");
        first.request(2, "{usersInfo: 1, $db: 'admin'}");
        first.reply(102, 2, 0, "{ok: 0.0, code: 13}");
        assertRefused(true);
    }

    @Test
    void aDeniedCommandOfAnAuthenticatedUserShowsNothing() {
        SessionFixture first = connected();
        first.request(1, FIND);
        first.request(2, PLAIN);
        first.reply(101, 1, 0, "{ok: 1.0}");
        first.reply(102, 2, 0, "{ok: 1.0, done: true}");
        first.request(3, FIND);
        first.reply(103, 3, 0, DENIED);
        assertRefused(true);
    }

    @Test
    void somebodyWhoAuthenticatedShowsThatClientsMust() {
        SessionFixture first = connected();
        first.request(1, PLAIN);
        first.reply(101, 1, 0, "{ok: 0.0, code: 18}");
        assertRefused(true);
        first.request(2, PLAIN);
        first.reply(102, 2, 0, "{ok: 1.0, done: true}");
        assertRefused(false);
        first.request(3, REFUSED);
        assertThat(first.client.responsesTo()).as("the one who did").containsExactly(1, 2, 3);
    }

    @Test
    void acommandThatWasExecutedWithoutShowsThatClientsNeedNot() {
        for (AccessControl presumed : List.of(shared, AccessControl.learnt(true))) {
            SessionFixture first = SessionFixture.connected(presumed, ListenerTraits.FORWARDING);
            first.request(1, PLAIN);
            first.reply(101, 1, 0, "{ok: 1.0, done: true}");
            SessionFixture second = SessionFixture.connected(presumed, ListenerTraits.FORWARDING);
            second.request(1, REFUSED);
            assertThat(second.server.requestIds()).as("left to the server").containsExactly(1);
            second.reply(101, 1, 0, "{ok: 1.0}");
            second.request(2, REFUSED);
            assertThat(second.client.responsesTo()).containsExactly(1, 2);
            SessionFixture third = SessionFixture.connected(presumed, ListenerTraits.FORWARDING);
            third.request(1, REFUSED);
            assertThat(third.client.responsesTo()).containsExactly(1);
        }
    }

    @Test
    void whoeverIsNotJudgedShowsAgainThatThereIsNoneEvenIfItDidBefore() {
        SessionFixture first = connected();
        first.request(1, FIND);
        first.reply(101, 1, 0, "{ok: 1.0}");
        SessionFixture second = connected();
        second.request(1, FIND);
        second.reply(101, 1, 0, DENIED);
        first.request(2, REFUSED);
        assertThat(first.server.requestIds()).as("left to the server").containsExactly(1, 2);
        first.reply(102, 2, 0, "{ok: 1.0}");
        first.request(3, REFUSED);
        assertThat(first.client.responsesTo()).containsExactly(1, 2, 3);
        assertRefused(true);
    }

    @Test
    void whatIsConfiguredIsNotUnlearnt() {
        SessionFixture f = SessionFixture.connected(AccessControl.required(), ListenerTraits.FORWARDING);
        f.request(1, REFUSED);
        f.reply(101, 1, 0, "{ok: 1.0}");
        f.request(2, REFUSED);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
    }

    @Test
    void nothingOfAClientThatMustAuthenticateIsRouted() {
        SessionFixture f = SessionFixture.connected(AccessControl.required(), ListenerTraits.FORWARDING);
        int routed = f.releases.size();
        f.request(1, REFUSED);
        assertThat(f.releases).hasSize(routed);
        assertThat(f.counters.wouldRefuseCommands()).isZero();
    }

    private SessionFixture connected() {
        return SessionFixture.connected(shared, ListenerTraits.FORWARDING);
    }

    private void assertRefused(boolean refused) {
        SessionFixture other = connected();
        other.request(1, REFUSED);
        assertThat(other.server.requestIds()).hasSize(refused ? 0 : 1);
        assertThat(other.counters.refusedCommands()).isEqualTo(refused ? 1 : 0);
    }
}
