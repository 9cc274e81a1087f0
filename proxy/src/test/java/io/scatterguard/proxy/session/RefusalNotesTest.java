package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.KeysOnlyCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.routing.KeyRouter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A refusal says what is probably wrong with the refused statement. */
class RefusalNotesTest {
    private static final CatalogSnapshot CATALOG = new CatalogSnapshot(
            Instant.EPOCH,
            true,
            ShardRegistry.empty().withRegistered(List.of("shard-a")),
            Map.of("shop", 0),
            Map.of(
                    Namespace.parse("shop.refused"),
                    ShardedCollection.of("shop.refused", "{'meta.tenantId': 1, day: 1}")));

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static SessionFixture fixture() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.router = (command, catalog, release) -> new KeyRouter().route(command, CATALOG, release);
        return fixture;
    }

    private static BsonDocument refusal(String command) {
        SessionFixture fixture = fixture();
        fixture.request(1, command);
        return fixture.lastReply();
    }

    @Test
    void theNamesOfTheNotesAreInItsDetails() {
        BsonDocument refusal = refusal("{delete: 'refused', deletes: [{q: {_id: 1}, limit: 1}], $db: 'shop'}");
        assertThat(refusal.getDocument("scatterguard").getArray("notes")).isEqualTo(BsonArray.parse("['idOnlyWrite']"));
        assertThat(refusal.getString("errmsg").getValue())
                .contains("To fix it, add a predicate on \"meta.tenantId\"; or");
    }

    @Test
    void aNoteThatIsNearerToTheCauseGivesTheFix() {
        BsonDocument refusal = refusal("{find: 'refused', filter: {tenantId: 'secret'}, $db: 'shop'}");
        assertThat(refusal.getDocument("scatterguard").getArray("notes"))
                .isEqualTo(BsonArray.parse("['keyUnderWrongPath']"));
        assertThat(refusal.getString("errmsg").getValue())
                .contains("To fix it, write \"meta.tenantId\", the whole path; or")
                .doesNotContain("secret");
    }

    @Test
    void withoutNotesThereIsNoField() {
        BsonDocument refusal = refusal("{find: 'refused', filter: {x: 1}, $db: 'shop'}");
        assertThat(refusal.getDocument("scatterguard").containsKey("notes")).isFalse();
    }

    @Test
    void whereOnlyTheKeyIsKnownItNamesNoShard() {
        SessionFixture fixture = SessionFixture.connected();
        fixture.router =
                (command, catalog, release) -> new KeyRouter().route(command, KeysOnlyCatalog.snapshot(), release);
        fixture.request(1, "{find: 'refused', filter: {x: 1}, $db: 'shop'}");
        BsonDocument refusal = fixture.lastReply();
        assertThat(refusal.getDocument("scatterguard"))
                .containsKeys("shardKey", "shape")
                .doesNotContainKeys("shards", "shardTotal", "placement");
        assertThat(refusal.toJson()).doesNotContain("shard-a").doesNotContain("shard-b");
    }

    /** The router does not look into a replacement, notes do: what is wrong there is the client's fault. */
    @Test
    void whatIsMalformedCostsTheNotesOnlyAndIsNoFaultOfOurs() {
        SessionFixture fixture = fixture();
        ByteBuf frame = SessionFixture.frame(
                1, 0, 0, "{update: 'refused', updates: [{q: {x: 1}, u: {meta: {tenantId: 1}}}], $db: 'shop'}");
        byte[] name = "tenantId".getBytes(StandardCharsets.US_ASCII);
        int at = frame.toString(StandardCharsets.ISO_8859_1).indexOf(new String(name, StandardCharsets.US_ASCII));
        frame.setByte(at - 1, 0x60);
        fixture.request(frame);
        assertThat(fixture.lastReply().getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(fixture.lastReply().getDocument("scatterguard").containsKey("notes"))
                .isFalse();
        assertThat(fixture.counters.internalErrorCount()).isZero();
    }
}
