package io.scatterguard.tests.support;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerOpeningEvent;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A proxy in enforce mode in front of a {@link ScriptedReplicaSet}, judged as if it were sharded like the shop. */
public final class ReplicaSetProxy implements AutoCloseable {
    private static final String CONFIG = """
            cluster: test
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: replicaSet, hosts: %s }
            catalog: { refresh: 1s, uri: "%s" }
            policy:
              mode: enforce
              rules:
                - name: no-broadcast
                  match: { namespace: "shop.*", shape: scatterGather }
                  action: refuse
            audit: { sinks: [], record: %s }
            limits: { shutdownGrace: 10s, connectTimeout: %s }
            """;

    private final ScriptedReplicaSet set;
    private final ScriptedMongos catalog = ScriptedMongos.start();
    private final ProxyUnderTest proxy;
    private final Set<String> opened = new ConcurrentSkipListSet<>();

    private ReplicaSetProxy(ScriptedReplicaSet set, String hosts, String record, String connectTimeout) {
        this.set = set;
        this.proxy = ProxyUnderTest.of(
                CONFIG.formatted(hosts, catalog.uri(), record, connectTimeout), catalog, RuntimeParts.standard());
    }

    /** In front of a set of three, which is closed with this. */
    public static ReplicaSetProxy start() {
        ScriptedReplicaSet set = ScriptedReplicaSet.start(3);
        return new ReplicaSetProxy(set, set.hosts(), "routed", "10s");
    }

    /** In front of a set of three of which only the last is named, and whose records are those of findings alone. */
    public static ReplicaSetProxy fromOneSeed(String connectTimeout) {
        ScriptedReplicaSet set = ScriptedReplicaSet.start(3);
        return new ReplicaSetProxy(set, "[\"" + set.member(2).address() + "\"]", "findings", connectTimeout);
    }

    public ScriptedReplicaSet set() {
        return set;
    }

    public ProxyRuntime runtime() {
        return proxy.runtime();
    }

    public String uri() {
        return proxy.uri();
    }

    public String address() {
        return "127.0.0.1:" + runtime().address().getPort();
    }

    public RawClient rawClient() {
        return proxy.rawClient();
    }

    /** A Java driver with this name that asks for the topology every half second. */
    public MongoClient driver(String appName) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri() + "?heartbeatFrequencyMS=500&appName=" + appName))
                .applyToServerSettings(server -> server.addServerListener(new ServerListener() {
                    @Override
                    public void serverOpening(ServerOpeningEvent event) {
                        ServerAddress address = event.getServerId().getAddress();
                        opened.add(address.getHost() + ":" + address.getPort());
                    }
                }))
                .build());
    }

    /** The servers that drivers of {@link #driver} ever knew of. */
    public Set<String> opened() {
        return opened;
    }

    @Override
    public void close() {
        proxy.close();
        set.close();
        catalog.close();
    }
}
