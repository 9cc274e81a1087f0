package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditLines;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drivers had to learn to keep authentication and user management out of what they publish (DRIVERS-1653, specifications PR
 * 763): {@code hello} with {@code speculativeAuthenticate}, and the replies, were forgotten at first. No audit record and no
 * log line of any level holds one of them, whatever the opcode and however broken the command.
 */
@ExtendWith(BlockHoundExtension.class)
class S20SecretsNeverRecordedTest {
    private static final String SECRET = "s3cr3t-9b1f7c";
    private static final String BASE64 = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            server: { auth: %s, identity: connectionStatus }
            policy: { mode: enforce, default: { reads: refuse, writes: refuse } }
            audit: { sinks: [], record: all }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "required"})
    void neitherInTheAuditLogNorInAnyLogLine(String auth) {
        AuditLines audit = new AuditLines();
        List<String> logged;
        try (CapturedLog log = CapturedLog.open();
                ScriptedMongos mongos = mongos()) {
            try (ProxyUnderTest proxy = ProxyUnderTest.configured(
                    mongos, CONFIG.formatted(auth), RuntimeParts.standard().withSink(audit))) {
                for (BsonDocument command : commands()) {
                    exchange(proxy, command);
                }
            }
            logged = log.lines();
        }
        assertThat(logged).as("the log is really captured").anyMatch(line -> line.startsWith("DEBUG io.scatterguard"));
        assertThat(logged).noneMatch(line -> line.contains(SECRET) || line.contains(BASE64));
        assertThat(audit.lines()).as("the ping behind each").hasSizeGreaterThan(50);
        assertThat(audit.lines()).noneMatch(line -> line.contains(SECRET) || line.contains(BASE64));
        for (CommandName name : CommandName.values()) {
            if (name.isSensitive()) {
                assertThat(audit.lines())
                        .noneMatch(line -> line.contains("\"command\":\"" + name.text() + "\"")
                                || line.contains("explain {" + name.text()));
            }
        }
    }

    /** Every sensitive command with the secret in each usual place, those it hides in, and a name no server knows. */
    private static List<BsonDocument> commands() {
        List<BsonDocument> commands = new ArrayList<>();
        String rest =
                ", payload: {$binary: {base64: '" + BASE64 + "', subType: '00'}}, mechanism: 'PLAIN', pwd: '" + SECRET
                        + "', key: '" + SECRET + "', user: '" + SECRET + "', customData: {a: '" + SECRET
                        + "'}, comment: '" + SECRET
                        + "'}";
        for (CommandName name : CommandName.values()) {
            if (name.isSensitive()) {
                commands.add(BsonDocument.parse("{" + name.text() + ": '" + SECRET + "'" + rest));
                commands.add(BsonDocument.parse("{" + name.text() + ": 1" + rest));
                commands.add(BsonDocument.parse("{explain: {" + name.text() + ": '" + SECRET + "'" + rest + "}"));
            }
        }
        for (String hello : List.of("hello", "isMaster", "ismaster")) {
            commands.add(BsonDocument.parse(
                    "{" + hello + ": 1, speculativeAuthenticate: {saslStart: 1, db: '" + SECRET + "'" + rest + "}"));
        }
        commands.add(BsonDocument.parse("{CreateUser: 1" + rest));
        commands.add(BsonDocument.parse("{saslStart: 1, payload: '" + SECRET + "', mechanism: '" + SECRET + "'}"));
        return commands;
    }

    /** Sends {@code command} whole and broken in every way that the wire allows, each on a connection of its own. */
    private static void exchange(ProxyUnderTest proxy, BsonDocument command) {
        BsonDocument message = command.clone().append("$db", new BsonString("admin"));
        OpMsgBuilder plain = OpMsgBuilder.of(1, message);
        byte[] cut = plain.encode();
        // The length of the first string that holds the secret, so that it reaches beyond its document.
        int at = indexOf(cut, SECRET);
        if (at > 4) {
            cut[at - 1] = 127;
        }
        try (RawClient whole = proxy.rawClient();
                RawClient query = proxy.rawClient();
                RawClient wrapped = proxy.rawClient();
                RawClient unacknowledged = proxy.rawClient();
                RawClient broken = proxy.rawClient()) {
            whole.send(whole.msg(message));
            whole.receive();
            query.send(query.query(command));
            query.receive();
            wrapped.send(wrapped.query(command).wrapped());
            wrapped.receive();
            unacknowledged.send(unacknowledged.msg(message).moreToCome());
            broken.sendBytes(cut);
            assertThat(whole.adminCommand("ping")).containsKey("ok");
        }
    }

    private static int indexOf(byte[] bytes, String text) {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    /** Every reply shows the secret as well. */
    private static ScriptedMongos mongos() {
        ScriptedMongos mongos = ScriptedMongos.start();
        String reply = "{done: true, conversationId: 1, payload: '" + SECRET + "', users: [{credentials: '" + SECRET
                + "'}], authInfo: {authenticatedUsers: [{user: 'app', db: 'admin'}]}, errmsg: 'no " + SECRET
                + "', ok: 1.0}";
        for (CommandName name : CommandName.values()) {
            if (name.isSensitive()) {
                mongos.always(name.text(), Reply.json(reply));
            }
        }
        mongos.always("explain", Reply.error(51, "X", "cannot explain " + SECRET));
        mongos.always("createuser", Reply.error(59, "CommandNotFound", "no such command " + SECRET));
        return mongos;
    }
}
