package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ScriptedReplicaSet;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsTunnel;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How the members of a replica set are reached: by TLS, after a crash, and not at all where a host is none. */
@ExtendWith(BlockHoundExtension.class)
class ReplicaSetMembersTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: replicaSet, hosts: %s }
            server: %s
            catalog: { uri: "%s" }
            audit: { sinks: [] }
            limits: { connectTimeout: %s }
            """;

    @TempDir
    private Path folder;

    private static ProxyUnderTest proxy(String hosts, String server, ScriptedMongos catalog, String connectTimeout) {
        return ProxyUnderTest.of(
                CONFIG.formatted(hosts, server, catalog.uri(), connectTimeout), catalog, RuntimeParts.standard());
    }

    /** Monitors and connections alike: the members take nothing else. */
    @Test
    void membersAreReachedByTls() {
        TestPki pki = new TestPki(folder, "members");
        try (ScriptedReplicaSet set = ScriptedReplicaSet.start(2);
                TlsTunnel first = TlsTunnel.to(set.member(0).port(), pki.context(pki.server()));
                TlsTunnel second = TlsTunnel.to(set.member(1).port(), pki.context(pki.server()));
                ScriptedMongos catalog = ScriptedMongos.start()) {
            set.rename(0, "localhost:" + first.port());
            set.rename(1, "localhost:" + second.port());
            try (ProxyUnderTest proxy = proxy(set.hosts(), "{ tls: { ca: " + pki.caFile() + " } }", catalog, "10s")) {
                pingReaches(proxy, set, 0);
                set.stepDown(1);
                pingReaches(proxy, set, 1);
            }
        }
    }

    /** A primary that crashes takes its connections with it; the next clients wait for another one. */
    @Test
    void aPrimaryThatCrashesIsReplaced() {
        try (ScriptedReplicaSet set = ScriptedReplicaSet.start(3);
                ScriptedMongos catalog = ScriptedMongos.start();
                ProxyUnderTest proxy = proxy(set.hosts(), "{}", catalog, "20s")) {
            try (RawClient client = proxy.rawClient()) {
                client.adminCommand("ping");
                set.member(0).stop();
                client.expectClosed();
            }
            set.stepDown(2);
            pingReaches(proxy, set, 2);
        }
    }

    /** A router in its place would be taken for a primary by whoever only asks whether it is writable. */
    @Test
    void aHostThatIsNoMemberIsNeverDialledAndIsNamed() {
        try (CapturedLog log = CapturedLog.open();
                ScriptedMongos router = ScriptedMongos.start();
                ScriptedMongos catalog = ScriptedMongos.start();
                ProxyUnderTest proxy = proxy("\"" + router.address() + "\"", "{}", catalog, "1s");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")));
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.NO_PRIMARY)).isOne();
            assertThat(router.requests("ping")).isEmpty();
            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("no primary of the replica set is known")
                            .contains(router.address() + " SHARD_ROUTER"));
        }
    }

    /** Sooner or later: a client that comes before the monitors have heard of a change is closed, or still served. */
    private static void pingReaches(ProxyUnderTest proxy, ScriptedReplicaSet set, int member) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
            try (RawClient client = proxy.rawClient()) {
                client.adminCommand("ping");
            }
            assertThat(set.member(member).requests("ping")).isNotEmpty();
        });
    }
}
