package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.CompressedMessage;
import io.scatterguard.tests.support.Deployment;
import io.scatterguard.tests.support.Deployment.Tls;
import io.scatterguard.tests.support.JavaClient;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireCompressor;
import io.scatterguard.tests.support.WireFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the scenarios have in common, by every driver with every compressor and without, with TLS on both sides and on none:
 * writes, a cursor of several batches, a refused broadcast as the driver's ordinary error, and the next command. What the
 * server got says by which compressor and over how many connections.
 */
@ExtendWith(BlockHoundExtension.class)
class DriverMatrixTest {
    private static final List<String> COMMANDS = List.of("insert", "find", "getMore", "aggregate", "update", "delete");

    @TempDir
    private static Path folder;

    private static Deployment plain;
    private static Deployment encrypted;

    @BeforeAll
    static void start() {
        plain = deployment(Tls.OFF);
        encrypted = deployment(Tls.ON);
    }

    @AfterAll
    static void stop() {
        plain.close();
        encrypted.close();
    }

    private static Deployment deployment(Tls tls) {
        ScriptedMongos mongos = ScriptedMongos.start()
                .withData()
                .withTopologyVersion()
                .withClusterTime()
                .compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD);
        return Deployment.of(tls, mongos, folder);
    }

    private static Deployment with(Tls tls) {
        return tls == Tls.ON ? encrypted : plain;
    }

    /** A driver, as a process or within this JVM. */
    enum Driver {
        JAVA,
        NODE,
        PYMONGO,
        MONGOSH;

        private BsonDocument run(Deployment deployment, WireCompressor compressor) {
            String uri = deployment.uri("maxPoolSize=1"
                    + (compressor == WireCompressor.NOOP ? "" : "&compressors=" + compressor.wireName()));
            return switch (this) {
                case JAVA -> new JavaClient(uri, deployment.context()).run();
                case NODE -> process(ClientTool.NODE_DRIVER, uri);
                case PYMONGO -> process(ClientTool.PYMONGO, uri);
                case MONGOSH -> process(ClientTool.MONGOSH, uri);
            };
        }

        private static BsonDocument process(ClientTool tool, String uri) {
            tool.assumeAvailable();
            return ClientProcess.of(tool, uri).run().result();
        }
    }

    static List<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (Driver driver : Driver.values()) {
            for (Tls tls : Tls.values()) {
                for (WireCompressor compressor : WireCompressor.values()) {
                    cells.add(Arguments.of(driver, compressor, tls));
                }
            }
        }
        return cells;
    }

    /** {@link WireCompressor#NOOP} stands for a driver that was told of no compressor. */
    @ParameterizedTest(name = "{0}, compressor {1}, TLS {2}")
    @MethodSource("cells")
    void aDriverReadsWritesIsRefusedAndGoesOn(Driver driver, WireCompressor compressor, Tls tls) {
        Deployment deployment = with(tls);
        long refused = deployment.runtime().counters().refusedCommands();
        int before = deployment.mongos().totalConnections();
        int byTls = deployment.encryptedConnections();

        BsonDocument result = driver.run(deployment, compressor);

        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(result.getNumber("found").intValue()).isEqualTo(320);
        assertThat(result.getDocument("grouped").getNumber("open").intValue()).isEqualTo(160);
        assertThat(result.getNumber("updated").intValue()).isOne();
        assertThat(result.getNumber("deleted").intValue()).isOne();
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(61_001);
        assertThat(result.getDocument("refusal").getString("codeName").getValue())
                .isEqualTo("ScatterGatherRefused");
        assertThat(result.getString("afterwards").getValue()).isEqualTo("sent");
        assertThat(deployment.runtime().counters().refusedCommands()).isEqualTo(refused + 1);

        List<WireFrame> commands = commandsOfOneConnection(deployment, before);
        assertThat(commands).extracting(WireFrame::commandName).containsAll(COMMANDS);
        assertThat(commands)
                .as("every command came as the driver was told to send it")
                .allSatisfy(command -> {
                    assertThat(command.compressed()).isEqualTo(compressor != WireCompressor.NOOP);
                    if (command.compressed()) {
                        assertThat(command.compressor()).isEqualTo(compressor);
                    }
                });
        assertThat(commands)
                .filteredOn(command -> command.commandName().equals("getMore"))
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(deployment.encryptedConnections() > byTls)
                .as("new connections by TLS")
                .isEqualTo(tls == Tls.ON);
    }

    /** What a driver does not show: a refusal is compressed as its request was, within TLS too. */
    @ParameterizedTest(name = "compressor {0}, TLS {1}")
    @MethodSource("kinds")
    void aRefusalComesInTheKindOfItsRequest(WireCompressor compressor, Tls tls) {
        try (RawClient client = with(tls).rawClient()) {
            OpMsgBuilder broadcast =
                    client.msg(BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}"));
            client.send(new CompressedMessage(broadcast, compressor), broadcast);
            WireFrame refusal = client.receive();
            assertThat(refusal.compressor()).isEqualTo(compressor);
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
            WireFrame plainRefusal = client.receive();
            assertThat(plainRefusal.compressed()).isFalse();
            assertThat(plainRefusal.body()).isEqualTo(refusal.body());
        }
    }

    static List<Arguments> kinds() {
        return cells().stream()
                .map(Arguments::get)
                .filter(cell -> cell[0] == Driver.JAVA)
                .map(cell -> Arguments.of(cell[1], cell[2]))
                .toList();
    }

    /** So that whoever was served above came by TLS where it says so, and without it where not. */
    @Test
    void nobodyIsServedTheOtherWay() {
        try (RawClient client = RawClient.connect(encrypted.runtime().address())) {
            client.send(client.msg(BsonDocument.parse("{hello: 1, $db: 'admin'}")));
            client.expectClosed();
        }
        assertThatThrownBy(() -> RawClient.connect(plain.runtime().address(), encrypted.context()))
                .isInstanceOf(IOException.class);
        try (RawClient client = encrypted.rawClient()) {
            assertThat(client.tlsSession().getProtocol()).startsWith("TLSv1.");
            assertThat(client.adminCommand("hello").getNumber("ok").intValue()).isOne();
        }
    }

    /** Those on the shop that came over connections after the first {@code before}; fails unless that is one connection. */
    private static List<WireFrame> commandsOfOneConnection(Deployment deployment, int before) {
        List<ScriptedConnection> all = deployment.mongos().connections();
        List<List<WireFrame>> connections = all.subList(before, all.size()).stream()
                .map(connection -> connection.received().stream()
                        .filter(frame -> COMMANDS.contains(frame.commandName())
                                && frame.database().equals("shop"))
                        .toList())
                .filter(commands -> !commands.isEmpty())
                .toList();
        assertThat(connections).as("connections that carried commands").hasSize(1);
        return connections.get(0);
    }
}
