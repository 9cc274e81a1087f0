package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.wire.OpMsg;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a session takes its client for. User rules rest on it, so that every trick must leave the true name or none. */
class AuthenticationTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String REFUSED = "{find: 'refused', filter: {}, $db: 'shop'}";
    private static final String OK = "{ok: 1.0}";
    private static final String STEP = "{ok: 1.0, done: false, conversationId: 1}";
    private static final String DONE = "{ok: 1.0, done: true, conversationId: 1}";
    private static final String FAILED = "{ok: 0.0, code: 18}";
    private static final String X509 = "{authenticate: 1, mechanism: 'MONGODB-X509', $db: '$external'}";
    private static final String CONTINUE = "{saslContinue: 1, conversationId: 1, $db: 'admin'}";

    private final SessionFixture f = SessionFixture.connected();
    private int id = 1;

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void aScramUserIsKnownOnceTheServerHasSaidDone() {
        ask(scram("al=2Cice"), STEP);
        assertThat(user()).isNull();
        ask(CONTINUE, STEP);
        assertThat(user()).isNull();
        ask(CONTINUE, DONE);
        assertThat(user()).isEqualTo("al,ice");
        assertThat(f.sources.get(f.sources.size() - 1).client().userDatabase()).isEqualTo("admin");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlainPayloadMayBeBinaryOrBase64Text(boolean binary) {
        ask(plain("bob", binary), DONE);
        assertThat(user()).isEqualTo("bob");
    }

    @Test
    void aPayloadIsReadUpToABoundWhateverItHolds() {
        String around = "n,,n=,r=abc";
        String longest = "a".repeat(Authentication.MAX_PAYLOAD_BYTES - around.length() - 5);
        ask(scram(longest), DONE);
        assertThat(user()).isEqualTo(longest);
        ask(scram(longest + "a"), DONE);
        assertThat(user()).as("authenticated, but unknown").isNull();
        // So many parts that an array of them would be hundreds of megabytes.
        ask(scram("x" + ",".repeat(8_000_000)), FAILED);
        ask(plain("bob", true), DONE);
        assertThat(user()).isEqualTo("bob");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "isMaster"})
    void aSpeculativeStepThatAwaitsNoReplyIsAProtocolErrorToo(String hello) {
        String command = "{" + hello + ": 1, speculativeAuthenticate: "
                + scram("alice").replace("$db", "db") + ", $db: 'admin'}";
        f.request(SessionFixture.frame(id, 0, OpMsg.MORE_TO_COME, command));
        assertThat(f.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isEqualTo(1);
        SessionFixture other = SessionFixture.connected();
        other.request(SessionFixture.frame(id, 0, OpMsg.MORE_TO_COME, "{" + hello + ": 1, $db: 'admin'}"));
        other.request(id + 1, FIND);
        assertThat(other.server.requestIds()).as("without one nothing waits").containsExactly(id, id + 1);
    }

    @Test
    void aFailedConversationNamesNobody() {
        ask(plain("bob", true), FAILED);
        assertThat(user()).isNull();
        ask(scram("bob"), STEP);
        ask(CONTINUE, FAILED);
        ask(CONTINUE, DONE);
        assertThat(user()).isNull();
    }

    @Test
    void aSpeculativeStartTheServerIgnoresDoesNotChangeARunningConversation() {
        ask(scram("mallory"), STEP);
        ask("{hello: 1, speculativeAuthenticate: " + scram("admin") + ", $db: 'admin'}", OK);
        ask(CONTINUE, DONE);
        assertThat(user()).isEqualTo("mallory");
    }

    @Test
    void aSpeculativeStartTheServerTookIsFollowed() {
        ask(
                "{hello: 1, speculativeAuthenticate: " + scram("alice").replace("$db", "db") + ", $db: 'admin'}",
                "{ok: 1.0, speculativeAuthenticate: {conversationId: 1, done: false}}");
        ask(CONTINUE, DONE);
        assertThat(user()).isEqualTo("alice");
    }

    @Test
    void twoStartsInOnePacketKeepTheOneThatSucceeded() {
        f.request(id, plain("mallory", true));
        f.request(id + 1, plain("admin", true));
        f.reply(1000 + id, id, 0, DONE);
        f.reply(1001 + id, id + 1, 0, FAILED);
        id += 2;
        assertThat(user()).isEqualTo("mallory");
    }

    @Test
    void aCommandBehindAStepOfAuthenticationWaitsUntilItIsKnownWhoAsks() {
        f.request(id, plain("alice", true));
        f.request(id + 1, FIND);
        assertThat(f.server.requestIds()).as("the find is held").containsExactly(id);
        f.reply(1000 + id, id, 0, DONE);
        assertThat(f.server.requestIds()).containsExactly(id, id + 1);
        assertThat(f.server.flushed).isEqualTo(2);
        assertThat(f.sources.get(f.sources.size() - 1).client().user()).isEqualTo("alice");
    }

    @Test
    void aStepThatAwaitsNoReplyIsAProtocolError() {
        f.request(SessionFixture.frame(id, 0, OpMsg.MORE_TO_COME, plain("alice", true)));
        assertThat(f.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isEqualTo(1);
    }

    @Test
    void onlyALogoutOfTheUsersOwnDatabaseThatSucceededForgetsTheUser() {
        ask(plain("alice", true), DONE);
        ask("{logout: 1, $db: 'other'}", OK);
        assertThat(user()).isEqualTo("alice");
        ask("{logout: 1, $db: '$external'}", FAILED);
        assertThat(user()).isEqualTo("alice");
        ask("{logout: 1, $db: '$external'}", OK);
        assertThat(user()).isNull();
    }

    @Test
    void whoLogsOutOneOfTwoUsersIsStillAuthenticated() {
        SessionFixture guarded = SessionFixture.connected(true);
        guarded.request(1, plain("alice", true));
        guarded.reply(101, 1, 0, DONE);
        guarded.request(2, scram("bob"));
        guarded.reply(102, 2, 0, DONE);
        guarded.request(3, "{logout: 1, $db: 'admin'}");
        guarded.reply(103, 3, 0, OK);
        guarded.request(4, REFUSED);
        assertThat(guarded.counters.refusedCommands()).isEqualTo(1);
        assertThat(guarded.sources.get(guarded.sources.size() - 1).client().user())
                .as("which of two it was is not known any more")
                .isNull();
        guarded.request(5, "{logout: 1, $db: '$external'}");
        guarded.reply(105, 5, 0, OK);
        guarded.request(6, REFUSED);
        assertThat(guarded.server.requestIds()).as("left to the server").containsExactly(1, 2, 3, 5, 6);
    }

    @Test
    void aCertificatesUserIsWhoTheServerSays() {
        ask(plain("alice", true), DONE);
        ask(X509, OK);
        assertThat(user()).isNull();
        ask(X509, "{dbname: '$external', user: 'CN=proxy', ok: 1.0}");
        assertThat(user()).isEqualTo("CN=proxy");
        ask("{logout: 1, $db: '$external'}", OK);
        assertThat(user()).isNull();
    }

    @Test
    void aSpeculativeCertificateTheServerTookIsAnAuthentication() {
        SessionFixture guarded = SessionFixture.connected(true);
        guarded.request(
                1,
                "{hello: 1, speculativeAuthenticate: {authenticate: 1, mechanism: 'MONGODB-X509', db: '$external'},"
                        + " $db: 'admin'}");
        guarded.reply(101, 1, 0, "{speculativeAuthenticate: {dbname: '$external', user: 'CN=proxy'}, ok: 1.0}");
        guarded.request(2, REFUSED);
        assertThat(guarded.counters.refusedCommands()).isEqualTo(1);
    }

    @Test
    void whereClientsMustAuthenticateNothingIsRefusedBefore() {
        SessionFixture guarded = SessionFixture.connected(true);
        guarded.request(1, REFUSED);
        assertThat(guarded.server.requestIds()).containsExactly(1);
        assertThat(guarded.releases).as("not even routed").isEmpty();
        assertThat(guarded.verdicts.get(guarded.verdicts.size() - 1).reason()).isEqualTo("unauthenticated");
        guarded.reply(101, 1, 0, "{ok: 0.0, code: 13}");
        guarded.request(2, "{authenticate: 1, mechanism: 'MONGODB-X509', $db: '$external'}");
        guarded.reply(102, 2, 0, FAILED);
        guarded.request(3, REFUSED);
        guarded.reply(103, 3, 0, "{ok: 0.0, code: 13}");
        guarded.request(4, plain("alice", true));
        guarded.reply(104, 4, 0, DONE);
        guarded.request(5, REFUSED);
        assertThat(guarded.server.requestIds()).containsExactly(1, 2, 3, 4);
        assertThat(guarded.counters.refusedCommands()).isEqualTo(1);
        f.request(id++, REFUSED);
        assertThat(f.counters.refusedCommands()).as("no access control").isEqualTo(1);
    }

    private void ask(String command, String reply) {
        f.request(id, command);
        f.reply(1000 + id, id, 0, reply);
        id++;
    }

    /** The user that the next command is judged and recorded for. */
    private String user() {
        ask(FIND, OK);
        return f.sources.get(f.sources.size() - 1).client().user();
    }

    private static String scram(String user) {
        return "{saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: " + binary("n,,n=" + user + ",r=abc")
                + ", $db: 'admin'}";
    }

    private static String plain(String user, boolean binary) {
        String payload = "\0" + user + "\0secret";
        return "{saslStart: 1, mechanism: 'PLAIN', payload: " + (binary ? binary(payload) : "'" + base64(payload) + "'")
                + ", $db: '$external'}";
    }

    private static String binary(String payload) {
        return "{$binary: {base64: '" + base64(payload) + "', subType: '00'}}";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
