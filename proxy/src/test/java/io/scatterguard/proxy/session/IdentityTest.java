package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.wire.OpMsg;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The question to the server who has authenticated, where the conversation did not show it. */
class IdentityTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String DONE = "{ok: 1.0, done: true, conversationId: 1}";
    private static final String KNOWN =
            "{authInfo: {authenticatedUsers: [{user: 'arn:aws:iam::1:role/app', db: '$external'}],"
                    + " authenticatedUserRoles: []}, ok: 1.0}";
    private static final String PAYLOAD = "payload: {$binary: {base64: 'AGEAYg==', subType: '00'}}";

    private final SessionFixture f = SessionFixture.asking();

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MONGODB-AWS", "GSSAPI", "MONGODB-OIDC"})
    void theServerIsAskedBeforeTheClientsNextRequestIsJudgedAndItsAnswerIsKept(String mechanism) {
        f.request(1, start(mechanism));
        f.request(2, FIND);
        f.reply(101, 1, 0, DONE);
        assertThat(f.server.requestIds()).as("the find is held").containsExactly(1, IdentityQuestion.REQUEST_ID);
        assertThat(f.server.flushed).isEqualTo(2);
        assertThat(f.lastForwarded()).isEqualTo(BsonDocument.parse("{connectionStatus: 1, $db: 'admin'}"));
        f.request(3, FIND);
        f.reply(102, IdentityQuestion.REQUEST_ID, 0, KNOWN);
        assertThat(f.client.responsesTo()).as("never passed on").containsExactly(1);
        assertThat(f.server.requestIds()).containsExactly(1, IdentityQuestion.REQUEST_ID, 2, 3);
        assertThat(user()).isEqualTo("arn:aws:iam::1:role/app");
        assertThat(f.sources.get(f.sources.size() - 1).client().userDatabase()).isEqualTo("$external");
        f.reply(103, 2, 0, "{ok: 1.0}");
        f.reply(104, 3, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3);
    }

    @Test
    void aConversationOfSeveralStepsIsFollowedByOneQuestion() {
        f.request(1, start("MONGODB-AWS"));
        f.reply(101, 1, 0, "{ok: 1.0, done: false, conversationId: 1}");
        assertThat(f.server.requestIds()).containsExactly(1);
        f.request(2, "{saslContinue: 1, conversationId: 1, $db: '$external'}");
        f.reply(102, 2, 0, DONE);
        assertThat(f.server.requestIds()).containsExactly(1, 2, IdentityQuestion.REQUEST_ID);
    }

    @Test
    void aSpeculativeConversationThatIsAtItsEndIsFollowedByTheQuestion() {
        f.request(
                1,
                "{hello: 1, speculativeAuthenticate: {saslStart: 1, mechanism: 'MONGODB-OIDC', " + PAYLOAD
                        + ", db: '$external'}, $db: 'admin'}");
        f.reply(101, 1, 0, "{speculativeAuthenticate: " + DONE + ", ok: 1.0}");
        assertThat(f.server.requestIds()).containsExactly(1, IdentityQuestion.REQUEST_ID);
        f.reply(102, IdentityQuestion.REQUEST_ID, 0, KNOWN);
        assertThat(f.client.responsesTo()).containsExactly(1);
    }

    @Test
    void anotherAuthenticationOnTheSameConnectionIsAskedAboutAgain() {
        f.request(1, start("MONGODB-OIDC"));
        f.reply(101, 1, 0, DONE);
        f.reply(102, IdentityQuestion.REQUEST_ID, 0, KNOWN);
        f.request(2, FIND);
        f.reply(103, 2, 0, "{ok: 0.0, code: 391, codeName: 'ReauthenticationRequired'}");
        f.request(3, start("MONGODB-OIDC"));
        f.reply(104, 3, 0, DONE);
        assertThat(f.server.requestIds())
                .containsExactly(1, IdentityQuestion.REQUEST_ID, 2, 3, IdentityQuestion.REQUEST_ID);
        f.reply(105, IdentityQuestion.REQUEST_ID, 0, KNOWN.replace("app'", "other'"));
        f.request(4, FIND);
        assertThat(user()).endsWith("other");
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ok: 0.0, code: 13}",
                "{ok: 1.0}",
                "{authInfo: 1, ok: 1.0}",
                "{authInfo: {authenticatedUsers: []}, ok: 1.0}",
                "{authInfo: {authenticatedUsers: ['x']}, ok: 1.0}",
                "{authInfo: {authenticatedUsers: [{user: 1, db: 'x'}]}, ok: 1.0}"
            })
    void anAnswerWithoutAUserLeavesItUnknownAndTheConnectionGoesOn(String answer) {
        f.request(1, start("GSSAPI"));
        f.reply(101, 1, 0, DONE);
        f.reply(102, IdentityQuestion.REQUEST_ID, 0, answer);
        f.request(2, FIND);
        assertThat(user()).isNull();
        f.reply(103, 2, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
    }

    @Test
    void whereTheUserIsKnownOrTheAuthenticationFailedNothingIsAsked() {
        f.request(1, start("PLAIN"));
        f.reply(101, 1, 0, DONE);
        f.request(2, start("GSSAPI"));
        f.reply(102, 2, 0, "{ok: 0.0, code: 18}");
        f.request(3, FIND);
        f.reply(103, 3, 0, "{ok: 1.0}");
        assertThat(f.server.requestIds()).containsExactly(1, 2, 3);
    }

    @Test
    void whereItIsNotConfiguredNothingIsAsked() {
        SessionFixture silent = SessionFixture.connected();
        silent.request(1, start("GSSAPI"));
        silent.reply(101, 1, 0, DONE);
        silent.request(2, FIND);
        assertThat(silent.server.requestIds()).containsExactly(1, 2);
    }

    @Test
    void aQuestionOpenWhenTheConnectionEndsIsForgotten() {
        f.request(1, start("GSSAPI"));
        f.reply(101, 1, 0, DONE);
        f.session.close(CloseCause.CLIENT_CLOSED);
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.server.closed).isTrue();
    }

    @Test
    void aDrainWaitsForTheAnswer() {
        f.request(1, start("GSSAPI"));
        f.reply(101, 1, 0, DONE);
        f.session.drain();
        assertThat(f.client.closed).isFalse();
        f.reply(102, IdentityQuestion.REQUEST_ID, OpMsg.MORE_TO_COME, KNOWN);
        f.reply(103, 102, 0, KNOWN);
        assertThat(f.client.closed).isTrue();
        assertThat(f.client.responsesTo()).as("nor a stream of answers").containsExactly(1);
    }

    private String user() {
        return f.sources.get(f.sources.size() - 1).client().user();
    }

    private static String start(String mechanism) {
        return "{saslStart: 1, mechanism: '" + mechanism + "', " + PAYLOAD + ", $db: '$external'}";
    }
}
