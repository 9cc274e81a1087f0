package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.client.MongoClient;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.Deployment;
import io.scatterguard.tests.support.Deployment.Tls;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S4 (mongo-java-server #233, #236): current drivers connect, and the wire range they are shown is the server's own. */
@ExtendWith(BlockHoundExtension.class)
@ParameterizedClass
@EnumSource(Tls.class)
class S04CurrentDriversTest {
    @TempDir
    private Path folder;

    @Parameter
    private Tls tls;

    private ScriptedMongos mongos;
    private Deployment deployment;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().withData().withTopologyVersion().withClusterTime();
        deployment = Deployment.of(tls, mongos, folder);
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientConnectsReadsWritesAndIsRefused(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result =
                ClientProcess.of(tool, deployment.uri("maxPoolSize=1")).run().result();
        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(mongos.requests("insert"))
                .as("with the cluster's time")
                .anyMatch(insert -> insert.command().containsKey("lsid"));
        assertThat(mongos.requests()).anyMatch(WireFrame::exhaustAllowed);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 17, 21, 25, 27})
    void theWireRangeIsTheServersOwn(int maxWireVersion) {
        mongos.helloField("maxWireVersion", new BsonInt32(maxWireVersion));
        mongos.helloField("minWireVersion", new BsonInt32(maxWireVersion - 1));
        try (RawClient client = deployment.rawClient()) {
            BsonDocument hello = client.adminCommand("hello");
            assertThat(hello.getNumber("minWireVersion").intValue()).isEqualTo(maxWireVersion - 1);
            assertThat(hello.getNumber("maxWireVersion").intValue()).isEqualTo(maxWireVersion);
        }
        try (MongoClient client = deployment.driver()) {
            client.getDatabase("shop").runCommand(new Document("ping", 1));
            assertThat(client.getClusterDescription().getServerDescriptions())
                    .singleElement()
                    .satisfies(server -> assertThat(server.getMaxWireVersion()).isEqualTo(maxWireVersion));
        }
    }

    @Test
    void aServerTooNewForADriverIsItsOwnError() {
        mongos.helloField("maxWireVersion", new BsonInt32(999)).helloField("minWireVersion", new BsonInt32(998));
        try (MongoClient client = deployment.driver()) {
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .isInstanceOf(MongoIncompatibleDriverException.class)
                    .hasMessageContaining("998");
        }
    }
}
