package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientRun;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.ScriptedMongos;
import org.bson.BsonObjectId;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S17: {@code loadBalanced=true} against a server that does not know it gives the error that drivers document, and never a
 * hang; from SERVER-58502 (such a server answers {@code hello} without {@code serviceId}, and the driver has to say so) and
 * percona-server-mongodb-operator #2316.
 */
@ExtendWith(BlockHoundExtension.class)
class S17LoadBalancedTest {
    private static final String DOCUMENTED =
            "Driver attempted to initialize in load balancing mode, but the server does not support this mode";

    private ScriptedMongos mongos;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
    }

    @AfterEach
    void stop() {
        mongos.close();
    }

    private static String loadBalanced(ProxyUnderTest proxy) {
        return proxy.uri() + "?loadBalanced=true";
    }

    @Test
    void theJavaDriverGivesItsDocumentedError() {
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                MongoClient client = MongoClients.create(loadBalanced(proxy))) {
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .isInstanceOf(MongoClientException.class)
                    .hasMessageContaining(DOCUMENTED);
            assertThat(mongos.requests("ping")).isEmpty();
        }
    }

    /** Its {@code serviceId} reaches the driver as everything in {@code hello} does. */
    @Test
    void aServerThatKnowsItServesTheJavaDriver() {
        mongos.helloField("serviceId", new BsonObjectId(new ObjectId("64b000000000000000000001")));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                MongoClient client = MongoClients.create(loadBalanced(proxy))) {
            assertThat(client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .containsEntry("ok", 1.0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ClientTool.class,
            names = {"NODE_DRIVER", "MONGOSH"})
    void nodesDriverGivesItsDocumentedErrorToo(ClientTool tool) {
        tool.assumeAvailable();
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard())) {
            ClientRun run = ClientProcess.of(tool, loadBalanced(proxy)).run();
            assertThat(run.exitCode()).isPositive();
            assertThat(run.stdout() + run.stderr()).contains(DOCUMENTED);
        }
    }

    /** PyMongo before 3.12 does not know the option: it warns, by its name or (as patched by distributions) without, and works. */
    @Test
    void pyMongoGivesItsDocumentedErrorOrDoesNotKnowTheOption() {
        ClientTool.PYMONGO.assumeAvailable();
        try (ProxyUnderTest shop = ProxyUnderTest.inFrontOfTheShop()) {
            ClientRun run =
                    ClientProcess.of(ClientTool.PYMONGO, loadBalanced(shop)).run();
            if (run.exitCode() == 0) {
                assertThat(run.stderr()).contains("Unknown option");
                assertThat(run.result().getString("version").getValue()).startsWith("3.1");
                return;
            }
        }
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard())) {
            ClientRun run =
                    ClientProcess.of(ClientTool.PYMONGO, loadBalanced(proxy)).run();
            assertThat(run.exitCode()).isPositive();
            assertThat(run.stderr()).contains(DOCUMENTED);
        }
    }
}
