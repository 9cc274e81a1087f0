package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The way out from the command line, and back. */
@ResourceLock(Resources.SYSTEM_OUT)
class ModeCommandTest {
    private static final String TOKEN = "a-token-of-the-tests";
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");

    private final ScriptedMongos mongos = ScriptedMongos.start();
    private ProxyUnderTest proxy;
    private Path token;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        proxy = ProxyUnderTest.configured(mongos, """
                listeners: [{ bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }]
                policy: { mode: enforce, default: { reads: refuse } }
                audit: { sinks: [] }
                admin: { bind: "127.0.0.1:0", token: a-token-of-the-tests }
                """, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    private CommandLineRun mode(String mode, String... further) {
        String[] first = {
            "mode", mode, "--admin", "http://" + proxy.runtime().adminAddress(), "--token-file", token.toString()
        };
        String[] all = new String[first.length + further.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(further, 0, all, first.length, further.length);
        return CommandLineRun.of(all);
    }

    private static boolean refused(RawClient client) {
        return client.command(BROADCAST.clone())
                        .getNumber("code", new BsonInt32(0))
                        .intValue()
                == 61_001;
    }

    @Test
    void outAndBack() {
        try (RawClient client = proxy.rawClient()) {
            assertThat(refused(client)).isTrue();
            CommandLineRun out = mode("bypass");
            assertThat(out.code()).as(out.err()).isZero();
            assertThat(BsonDocument.parse(out.out()).getString("mode").getValue())
                    .isEqualTo("bypass");
            assertThat(refused(client)).isFalse();
            assertThat(mode("configured", "--listener", "127.0.0.1:0").code()).isZero();
            assertThat(refused(client)).isTrue();
        }
    }

    @Test
    void whatDoesNotWorkIsSaid() throws IOException {
        assertThat(mode("off").err()).contains("MODE off (expected: bypass, observe, enforce or configured)");
        CommandLineRun none = mode("bypass", "--listener", "127.0.0.1:1");
        assertThat(none.code()).isOne();
        assertThat(none.err()).contains("answered 400", "listener: there is none");
        Files.writeString(token, "another-token-altogether");
        CommandLineRun wrong = mode("bypass");
        assertThat(wrong.code()).isOne();
        assertThat(wrong.err()).contains("answered 401").doesNotContain("another-token-altogether");
        CommandLineRun gone =
                CommandLineRun.of("mode", "bypass", "--admin", "http://127.0.0.1:1", "--token-file", token.toString());
        assertThat(gone.code()).isOne();
        assertThat(gone.err()).contains("http://127.0.0.1:1 does not answer");
    }
}
