package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.scatterguard.proxy.catalog.ClusterIdCheck.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ClusterIdCheckTest {
    private static final String ONE = "{_id: 1, clusterId: {$oid: '650000000000000000000001'}}";
    private static final String OTHER = "{_id: 1, clusterId: {$oid: '650000000000000000000002'}}";

    private final List<MongoServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(MongoServer::shutdownNow);
    }

    /** The connection string of a server whose {@code config.version} has this document. */
    private String cluster(String version) {
        MongoServer server = started();
        String uri = uri(server);
        try (MongoClient client = MongoClients.create(uri)) {
            client.getDatabase("config")
                    .getCollection("version", BsonDocument.class)
                    .insertOne(BsonDocument.parse(version));
        }
        return uri;
    }

    private MongoServer started() {
        MemoryBackend backend = new MemoryBackend();
        backend.version(MongoCatalogSourceTest.VERSION);
        MongoServer server = new MongoServer(backend);
        servers.add(server);
        server.bind();
        return server;
    }

    private static String uri(MongoServer server) {
        return "mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/?serverSelectionTimeoutMS=300";
    }

    private String nobody() {
        MongoServer server = started();
        String uri = uri(server);
        server.shutdownNow();
        return uri;
    }

    @Test
    void twoWaysToOneClusterAreTheSame() {
        assertThat(ClusterIdCheck.between(cluster(ONE), cluster(ONE))).isEqualTo(new ClusterIdCheck(Outcome.SAME, ""));
    }

    @Test
    void aCatalogOfAnotherClusterIsDifferent() {
        ClusterIdCheck check = ClusterIdCheck.between(cluster(ONE), cluster(OTHER));

        assertThat(check.outcome()).isEqualTo(Outcome.DIFFERENT);
        assertThat(check.message())
                .startsWith("clusterId: 650000000000000000000001 through catalog.uri,"
                        + " 650000000000000000000002 through the listener's upstream (expected: the same;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{_id: 1}", "{_id: 1, clusterId: 'x'}"})
    void whatShowsNoIdIsUnknown(String version) {
        ClusterIdCheck router = ClusterIdCheck.between(cluster(ONE), cluster(version));
        ClusterIdCheck catalog = ClusterIdCheck.between(cluster(version), cluster(ONE));

        assertThat(router.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(router.message()).contains("through the listener's upstream: config.version has no clusterId");
        assertThat(catalog.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(catalog.message()).contains("through catalog.uri: config.version has no clusterId");
    }

    @Test
    void whatCannotBeReachedIsUnknown() {
        assertThat(ClusterIdCheck.between(cluster(ONE), nobody()).message())
                .contains("through the listener's upstream: MongoTimeoutException");
        assertThat(ClusterIdCheck.between(nobody(), cluster(ONE)).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aRefusedLoginIsUnknownAndQuotesNothing() {
        String login = cluster(ONE).replace("mongodb://", "mongodb://reader:hunter2@");

        ClusterIdCheck check = ClusterIdCheck.between(login + "&authMechanism=SCRAM-SHA-256", cluster(ONE));

        assertThat(check.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(check.toString()).doesNotContain("reader", "hunter2", "mongodb://");
    }

    @Test
    void theSameConnectionStringNeedsNoConnection() {
        String uri = nobody();

        assertThat(ClusterIdCheck.between(uri, uri).outcome()).isEqualTo(Outcome.SAME);
    }

    @Test
    void whatIsNoConnectionStringIsAnErrorOfTheCaller() {
        assertThatThrownBy(() -> ClusterIdCheck.between(cluster(ONE), "cfg:27019"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
