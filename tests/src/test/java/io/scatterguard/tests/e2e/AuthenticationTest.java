package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is judged, and as whom, through a running proxy. */
@ExtendWith(BlockHoundExtension.class)
class AuthenticationTest {
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final BsonDocument AWS = BsonDocument.parse(
            "{saslStart: 1, mechanism: 'MONGODB-AWS', payload: {$binary: {base64: 'AAAA', subType: '00'}}, $db: '$external'}");
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            server: { auth: %s, identity: %s }
            policy:
              mode: enforce
              default: { reads: refuse }
              rules:
                - { name: reporting, match: { user: "reporting@$external" }, action: allow }
            audit: { sinks: [] }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"connectionStatus", "conversation"})
    void aUserRuleMatchesAnAwsUserWhereTheServerIsAsked(String identity) {
        boolean asked = identity.equals("connectionStatus");
        try (ScriptedMongos mongos = mongos();
                ProxyUnderTest proxy = proxy(mongos, "auto", identity);
                RawClient client = proxy.rawClient()) {
            mongos.always("saslStart", Reply.json("{conversationId: 1, done: true, ok: 1.0}"));
            // All in one packet: the find must not be judged before it is known who asks.
            client.send(client.msg(AWS), client.msg(BROADCAST));
            WireFrame authenticated = client.receive();
            assertThat(authenticated.body().getBoolean("done").getValue()).isTrue();
            WireFrame found = client.receive();
            assertThat(found.responseTo()).isEqualTo(authenticated.responseTo() + 1);
            assertThat(found.body().containsKey("code")).isEqualTo(!asked);
            assertThat(mongos.requests("connectionStatus")).hasSize(asked ? 1 : 0);
            assertThat(client.adminCommand("ping")).doesNotContainKey("authInfo");
        }
    }

    @Test
    void onceAServerAsksForAnAuthenticationNobodyIsAnsweredByTheProxyBefore() {
        try (ScriptedMongos mongos = mongos();
                ProxyUnderTest proxy = proxy(mongos, "auto", "conversation");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            mongos.always("count", Reply.error(13, "Unauthorized", "command count requires authentication"));
            mongos.always("find", Reply.error(13, "Unauthorized", "command find requires authentication"));
            assertCode(first, BROADCAST, 61_001);
            assertCode(first, BsonDocument.parse("{count: 'settings', $db: 'shop'}"), 13);
            assertCode(second, BROADCAST, 13);
            assertCode(second, BsonDocument.parse("{scatterguard: 1, $db: 'admin'}"), 59);
            assertCode(first, BROADCAST, 13);
        }
    }

    @Test
    void whereItIsRequiredTheFirstClientIsNotAnsweredEither() {
        try (ScriptedMongos mongos = mongos();
                ProxyUnderTest proxy = proxy(mongos, "required", "conversation");
                RawClient client = proxy.rawClient()) {
            mongos.once("find", Reply.error(13, "Unauthorized", "command find requires authentication"));
            mongos.always("saslStart", Reply.json("{conversationId: 1, done: true, ok: 1.0}"));
            assertCode(client, BROADCAST, 13);
            client.command(AWS);
            assertCode(client, BROADCAST, 61_001);
        }
    }

    @Test
    void aLogLineExplainsWhyACertificateCannotPass() {
        BsonDocument x509 = BsonDocument.parse("{authenticate: 1, mechanism: 'MONGODB-X509', $db: '$external'}");
        List<String> lines;
        try (CapturedLog log = CapturedLog.open();
                ScriptedMongos mongos = mongos();
                ProxyUnderTest proxy = proxy(mongos, "auto", "conversation");
                RawClient client = proxy.rawClient()) {
            mongos.always("authenticate", Reply.error(18, "AuthenticationFailed", "no certificate"));
            assertCode(client, x509, 18);
            assertCode(client, x509, 18);
            lines = log.lines();
        }
        assertThat(lines.stream().filter(line -> line.contains("MONGODB-X509 failed")))
                .as("once a minute")
                .singleElement()
                .asString()
                .startsWith("WARN")
                .contains("use SCRAM", "docs/authentication.md", "listener=");
    }

    private static ScriptedMongos mongos() {
        return ScriptedMongos.start()
                .always("find", Reply.cursor("shop.orders", 0, List.of()))
                .always(
                        "connectionStatus",
                        Reply.json("{authInfo: {authenticatedUsers: [{user: 'reporting', db: '$external'}],"
                                + " authenticatedUserRoles: []}, ok: 1.0}"));
    }

    private static ProxyUnderTest proxy(ScriptedMongos mongos, String auth, String identity) {
        return ProxyUnderTest.configured(mongos, CONFIG.formatted(auth, identity), RuntimeParts.standard());
    }

    private static void assertCode(RawClient client, BsonDocument command, int code) {
        assertThat(client.command(command).getNumber("code").intValue()).isEqualTo(code);
    }
}
