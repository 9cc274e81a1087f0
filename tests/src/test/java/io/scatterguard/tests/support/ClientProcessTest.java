package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/** The client scripts against an in-memory server, which refuses nothing, and a scripted one, which does. */
class ClientProcessTest {
    private MongoServer server;

    @BeforeEach
    void start() {
        server = new MongoServer(new MemoryBackend().version(new SixDotZero()));
        server.bind("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void theScriptDoesItsWork(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result =
                ClientProcess.of(tool, uri()).expectRefusal(false).run().result();
        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(result.getNumber("found").intValue()).isEqualTo(320);
        assertThat(result.getDocument("grouped")).isEqualTo(BsonDocument.parse("{open: 160, paid: 160}"));
        assertThat(result.getNumber("updated").intValue()).isOne();
        assertThat(result.getNumber("deleted").intValue()).isOne();
        assertThat(result.isNull("refusal")).isTrue();
        assertThat(result.getString("afterwards").getValue()).isEqualTo("sent");
    }

    @ParameterizedTest
    @EnumSource
    void aBroadcastThatIsNotRefusedFailsTheScript(ClientTool tool) {
        tool.assumeAvailable();
        ClientRun run = ClientProcess.of(tool, uri())
                .namespace("shop", "other")
                .key("a", "b")
                .run();
        assertThat(run.exitCode()).isOne();
        assertThat(run.stdout()).doesNotContain("RESULT");
        assertThat(run.stdout() + run.stderr()).contains("refused: ");
        assertThatThrownBy(run::result).isInstanceOf(AssertionError.class).hasMessageContaining("refused: ");
    }

    @ParameterizedTest
    @EnumSource
    void theScriptReportsTheRefusalAndGoesOn(ClientTool tool) {
        tool.assumeAvailable();
        try (ScriptedMongos mongos = RefusingShop.start()) {
            BsonDocument result = ClientProcess.of(tool, mongos.uri()).run().result();
            BsonDocument refusal = result.getDocument("refusal");
            assertThat(refusal.getString("className").getValue()).isIn("MongoServerError", "OperationFailure");
            assertThat(refusal.getNumber("code").intValue()).isEqualTo(61001);
            assertThat(refusal.getString("codeName").getValue()).isEqualTo("ScatterGatherRefused");
            assertThat(refusal.getString("errmsg").getValue()).isEqualTo("refused");
            assertThat(refusal.getArray("labels")).containsExactly(new BsonString("ScatterguardRefused"));
            assertThat(refusal.getDocument("scatterguard"))
                    .isEqualTo(BsonDocument.parse("{missing: [\"customerId\"]}"));
            assertThat(result.getString("afterwards").getValue()).isEqualTo("sent");
            assertThat(mongos.requests("getMore")).hasSize(6);
        }
    }

    @Test
    void aMissingToolIsASkipOnADesktopAndAFailureInCi() {
        Optional<String> reason = Optional.of("no such thing");
        assertThatThrownBy(() -> ClientTool.MONGOSH.requireAvailable(reason, false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("no such thing");
        assertThatThrownBy(() -> ClientTool.MONGOSH.requireAvailable(reason, true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no such thing");
        ClientTool.MONGOSH.requireAvailable(Optional.empty(), true);
    }

    private String uri() {
        return "mongodb://127.0.0.1:" + server.getLocalAddress().getPort();
    }

    /** The in-memory server knows wire version 8 at most, which current drivers do not take. */
    private static final class SixDotZero implements MongoVersion {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(6, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 17;
        }
    }
}
