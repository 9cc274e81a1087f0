package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.client.MongoClient;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S4 (mongo-java-server #233, #236): current drivers connect, and the wire range they are shown is the server's own. */
@ExtendWith(BlockHoundExtension.class)
class S04CurrentDriversTest {
    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().withData().withTopologyVersion().withClusterTime();
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientConnectsReadsWritesAndIsRefused(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result = ClientProcess.of(tool, proxy.uri()).run().result();
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
        try (RawClient client = proxy.rawClient()) {
            BsonDocument hello = client.adminCommand("hello");
            assertThat(hello.getNumber("minWireVersion").intValue()).isEqualTo(maxWireVersion - 1);
            assertThat(hello.getNumber("maxWireVersion").intValue()).isEqualTo(maxWireVersion);
        }
        try (MongoClient client = proxy.driver()) {
            client.getDatabase("shop").runCommand(new Document("ping", 1));
            assertThat(client.getClusterDescription().getServerDescriptions())
                    .singleElement()
                    .satisfies(server -> assertThat(server.getMaxWireVersion()).isEqualTo(maxWireVersion));
        }
    }

    @Test
    void aServerTooNewForADriverIsItsOwnError() {
        mongos.helloField("maxWireVersion", new BsonInt32(999)).helloField("minWireVersion", new BsonInt32(998));
        try (MongoClient client = proxy.driver()) {
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .isInstanceOf(MongoIncompatibleDriverException.class)
                    .hasMessageContaining("998");
        }
    }
}
