package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterType;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerOpeningEvent;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S18: where only the proxy can be reached, a client never dials another host; from bitnami/charts #7050, where a driver
 * learned names from {@code hello} that meant nothing to it.
 */
@ExtendWith(BlockHoundExtension.class)
class S18OnlyTheProxyTest {
    /** The fields by which a server names servers. */
    private static final List<String> NAMING =
            List.of("hosts", "passives", "arbiters", "primary", "me", "setName", "setVersion");

    private static String addressOf(ProxyUnderTest proxy) {
        InetSocketAddress address = proxy.runtime().address();
        return "127.0.0.1:" + address.getPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{hello: 1, $db: 'admin'}", "{isMaster: 1, $db: 'admin'}"})
    void helloNamesNoServer(String hello) {
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ScriptedMongos catalog = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos.address(), catalog);
                RawClient client = proxy.rawClient()) {
            BsonDocument reply = client.command(BsonDocument.parse(hello));
            assertThat(reply.keySet()).doesNotContainAnyElementsOf(NAMING);
            assertThat(reply.getString("msg").getValue()).isEqualTo("isdbgrid");
            assertThat(reply.toJson()).doesNotContain(String.valueOf(mongos.port()));
        }
    }

    /** And every connection the server has seen came through the proxy. */
    @Test
    void theJavaDriverKnowsTheProxyOnly() {
        Set<String> opened = new ConcurrentSkipListSet<>();
        try (ScriptedMongos mongos = ScriptedMongos.start().withTopologyVersion();
                ScriptedMongos catalog = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos.address(), catalog)) {
            int before = mongos.totalConnections();
            MongoClientSettings settings = MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(proxy.uri()))
                    .applyToServerSettings(s -> s.addServerListener(new ServerListener() {
                        @Override
                        public void serverOpening(ServerOpeningEvent event) {
                            ServerAddress address = event.getServerId().getAddress();
                            opened.add(address.getHost() + ":" + address.getPort());
                        }
                    }))
                    .build();
            try (MongoClient client = MongoClients.create(settings)) {
                client.getDatabase("shop").runCommand(new Document("ping", 1));
                assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.SHARDED);
                assertThat(client.getClusterDescription().getServerDescriptions())
                        .hasSize(1);
                assertThat(opened).containsExactly(addressOf(proxy));
                assertThat((long) mongos.totalConnections() - before)
                        .isLessThanOrEqualTo(proxy.runtime().counters().acceptedConnections());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void otherClientsKnowTheProxyOnly(ClientTool tool) {
        tool.assumeAvailable();
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOfTheShop()) {
            BsonArray servers =
                    ClientProcess.of(tool, proxy.uri()).run().result().getArray("servers");
            // mongosh has no events; it shows what hello names, which is nothing.
            List<String> expected = tool == ClientTool.MONGOSH ? List.of() : List.of(addressOf(proxy));
            assertThat(servers.stream().map(BsonValue::asString).map(s -> s.getValue()))
                    .containsExactlyElementsOf(expected);
        }
    }
}
