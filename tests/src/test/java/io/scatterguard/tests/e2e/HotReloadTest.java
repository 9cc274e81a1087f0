package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ServeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running {@code serve} whose configuration is edited: the one connection of its client lives through all of it. */
class HotReloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final BsonDocument DECLARED =
            BsonDocument.parse("{find: 'carts', filter: {status: 'open'}, $db: 'shop'}");

    private final ScriptedMongos mongos = ScriptedMongos.start().withCatalog(CatalogDocuments.shop());
    private Path config;
    private ServeProcess serve;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) {
        config = folder.resolve("scatterguard.yaml");
        serve = ServeProcess.start(folder, yaml("policy: { mode: enforce, default: { reads: refuse } }"));
        client = RawClient.connect(serve.port());
        assertThat(refused(BROADCAST)).isTrue();
    }

    @AfterEach
    void stop() {
        client.close();
        serve.close();
        mongos.close();
    }

    private String yaml(String rest) {
        return """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [] }
                %s
                """.formatted(mongos.address(), rest);
    }

    private void write(String rest) throws IOException {
        Path edited = config.resolveSibling("edited.yaml");
        Files.writeString(edited, yaml(rest));
        Files.move(edited, config, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private boolean refused(BsonDocument command) {
        return client.command(command.clone())
                        .getNumber("code", new BsonInt32(0))
                        .intValue()
                == 61_001;
    }

    private void awaitRefused(BsonDocument command, boolean expected) {
        await().atMost(PATIENCE).until(() -> refused(command) == expected);
    }

    private BsonDocument status() {
        return client.adminCommand("scatterguard");
    }

    private static BsonDocument configuration(BsonDocument status) {
        return status.getDocument("configuration");
    }

    @Test
    void aPolicyThatIsEditedCountsAndOneThatIsWrongDoesNot() throws Exception {
        write("policy: { mode: enforce, rules: [ { name: let-it, match: { namespace: 'shop.*' }, action: allow } ] }");
        awaitRefused(BROADCAST, false);
        assertThat(status().getNumber("policyVersion").longValue()).isEqualTo(2);

        write("policy: { mode: enforce, default: { reads: refuze } }");
        await().atMost(PATIENCE).until(() -> configuration(status()).containsKey("error"));
        BsonDocument wrong = configuration(status());
        assertThat(wrong.getString("error").getValue()).contains("policy.default.reads", "refuze");
        assertThat(wrong.getNumber("refused").longValue()).isOne();
        assertThat(refused(BROADCAST)).as("the one before stays").isFalse();
        assertThat(serve.log()).contains("configuration not applied, the one before stays");

        write("policy: { mode: enforce, default: { reads: refuse } }");
        awaitRefused(BROADCAST, true);
        assertThat(configuration(status())).doesNotContainKey("error");
    }

    @Test
    void keysThatAreDeclaredLaterCount() throws Exception {
        assertThat(refused(DECLARED)).isFalse();
        Path rules = config.resolveSibling("rules.yaml");
        Files.writeString(rules, "shardingRules: [ { namespace: shop.carts, key: { owner: 1 } } ]");
        write("policy: { mode: enforce, default: { reads: refuse } }\nshardingRulesFile: rules.yaml");
        awaitRefused(DECLARED, true);
        Files.writeString(rules, "shardingRules: [ { namespace: shop.carts, key: { status: 1 } } ]");
        awaitRefused(DECLARED, false);
        assertThat(refused(BROADCAST)).isTrue();
    }

    /** What only a start can change is named, and everything else of the same edit counts. */
    @Test
    void whatNeedsAStartWaitsForIt() throws Exception {
        write("policy: { mode: observe }\nlimits: { maxConnections: 5 }");
        awaitRefused(BROADCAST, false);
        await().atMost(PATIENCE).until(() -> configuration(status()).containsKey("waitingForStart"));
        assertThat(configuration(status()).getArray("waitingForStart"))
                .extracting(key -> key.asString().getValue())
                .containsExactly("limits");
        assertThat(serve.log()).contains("waiting=[limits]");
    }

    @Test
    void aSignalTurnsJudgingOffAndOnAgain() throws Exception {
        serve.signal("USR1");
        awaitRefused(BROADCAST, false);
        assertThat(status().getBoolean("bypassed").getValue()).isTrue();
        assertThat(status().getString("mode").getValue()).isEqualTo("bypass");
        serve.signal("USR1");
        awaitRefused(BROADCAST, true);
        serve.signal("HUP");
        awaitRefused(BROADCAST, true);
        assertThat(serve.isAlive()).isTrue();
    }
}
