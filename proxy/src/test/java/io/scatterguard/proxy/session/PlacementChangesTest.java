package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.OpMsg;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes through and changes metadata has it read again; nothing else does, and no client as often as it likes. */
class PlacementChangesTest {
    private static final String OK = "{ok: 1.0}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    /** One in whose catalog {@code shop.c} and the buckets of {@code shop.t} are tracked. */
    private static SessionFixture tracking() {
        SessionFixture f = SessionFixture.connected();
        f.catalog.withBroken("shop.c", "shop.system.buckets.t");
        return f;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{shardCollection: 'shop.d', key: {a: 1}, $db: 'admin'} | shop.d",
                "{shardcollection: 'shop.d', key: {a: 1}, $db: 'admin'} | shop.d",
                "{reshardCollection: 'shop.c', key: {a: 1}, $db: 'admin'} | shop.c",
                "{refineCollectionShardKey: 'shop.c', key: {a: 1}, $db: 'admin'} | shop.c",
                "{moveChunk: 'shop.c', find: {a: 1}, to: 'b', $db: 'admin'} | shop.c",
                "{movechunk: 'shop.c', find: {a: 1}, to: 'b', $db: 'admin'} | shop.c",
                "{moveRange: 'shop.c', min: {a: 1}, toShard: 'b', $db: 'admin'} | shop.c",
                "{split: 'shop.c', middle: {a: 1}, $db: 'admin'} | shop.c",
                "{mergeChunks: 'shop.c', bounds: [], $db: 'admin'} | shop.c",
                "{mergeAllChunksOnShard: 'shop.c', shard: 'b', $db: 'admin'} | shop.c",
                "{moveCollection: 'shop.d', toShard: 'b', $db: 'admin'} | shop.d",
                "{unshardCollection: 'shop.c', $db: 'admin'} | shop.c",
                "{movePrimary: 'shop', to: 'b', $db: 'admin'} | shop",
                "{enableSharding: 'shop', $db: 'admin'} | shop",
                "{dropDatabase: 1, $db: 'shop'} | shop",
                "{drop: 'c', $db: 'shop'} | shop.c",
                "{drop: 't', $db: 'shop'} | shop.t",
                "{create: 'v', viewOn: 'c', pipeline: [], $db: 'shop'} | shop.v",
                "{create: 'w', timeseries: {timeField: 'at'}, $db: 'shop'} | shop.w",
                "{create: 'first', $db: 'fresh'} | fresh.first",
                "{collMod: 'c', validator: {}, $db: 'shop'} | shop.c",
                "{renameCollection: 'shop.c', to: 'shop.d', $db: 'admin'} | shop",
                "{renameCollection: 'shop.d', to: 'shop.c', dropTarget: true, $db: 'admin'} | shop",
                "{renameCollection: 'shop.c', to: 'other.c', $db: 'admin'} | ''",
                "{addShard: 'rs/a:1', $db: 'admin'} | ''",
                "{removeShard: 'b', $db: 'admin'} | ''",
                "{transitionToDedicatedConfigServer: 1, $db: 'admin'} | ''",
                "{setClusterParameter: {pauseMigrationsDuringMultiUpdates: {enabled: true}}, $db: 'admin'} | ''",
                "{setFeatureCompatibilityVersion: '8.0', confirm: true, $db: 'admin'} | ''",
                "{flushRouterConfig: 1, $db: 'admin'} | ''",
                "{flushRouterConfig: 'shop', $db: 'admin'} | shop",
                "{flushRouterConfig: 'shop.c', $db: 'admin'} | shop.c"
            })
    void aCommandThatSucceededHasWhatItChangedReadAgain(String command, String changed) {
        SessionFixture f = tracking();
        f.request(1, command);
        assertThat(f.catalog.changed).as("before its reply").isEmpty();
        f.reply(101, 1, 0, OK);
        assertThat(f.catalog.changed).containsExactly(Namespace.parse(changed));
        SessionFixture failing = tracking();
        failing.request(1, command);
        failing.reply(101, 1, 0, "{ok: 0.0, code: 13, errmsg: 'no'}");
        assertThat(failing.catalog.changed).as("one that failed").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'c', $db: 'shop'}",
                "{insert: 'c', documents: [{}], $db: 'shop'}",
                "{create: 'plain', $db: 'shop'}",
                "{drop: 'plain', $db: 'shop'}",
                "{collMod: 'plain', $db: 'shop'}",
                "{renameCollection: 'shop.plain', to: 'shop.other', $db: 'admin'}",
                "{createIndexes: 'c', indexes: [], $db: 'shop'}",
                "{listCollections: 1, $db: 'shop'}",
                "{balancerStatus: 1, $db: 'admin'}",
                "{moveChunk: 1, $db: 'admin'}",
                "{setParameter: 1, $db: 'admin'}",
                "{c: 'shop.c', $db: 'admin'}"
            })
    void whatChangesNoMetadataDoesNot(String command) {
        SessionFixture f = tracking();
        f.request(1, command);
        f.reply(101, 1, 0, OK);
        assertThat(f.catalog.changed).isEmpty();
    }

    @Test
    void neitherDoesWhatIsNotAnswered() {
        SessionFixture f = tracking();
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{split: 'shop.c', $db: 'admin'}"));
        f.request(2, "{ping: 1, $db: 'admin'}");
        f.reply(102, 2, 0, OK);
        assertThat(f.catalog.changed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 150, 249, 13388})
    void anErrorThatSaysStaleHasTheNamespaceReadAgain(int code) {
        SessionFixture f = SessionFixture.connected();
        f.recording = false;
        f.request(1, "{find: 'd', $db: 'shop'}");
        f.reply(101, 1, 0, "{ok: 0.0, errmsg: 'stale', code: " + code + ", codeName: 'x'}");
        assertThat(f.catalog.changed).containsExactly(new Namespace("shop", "d"));
    }

    @Test
    void otherErrorsAndWhatOnlyLooksAlikeDoNot() {
        SessionFixture f = SessionFixture.connected();
        for (boolean recording : new boolean[] {true, false}) {
            f.recording = recording;
            f.request(1, "{find: 'd', $db: 'shop'}");
            f.reply(101, 1, 0, "{ok: 0.0, errmsg: 'no', code: 11600}");
            f.request(2, "{find: 'd', $db: 'shop'}");
            f.reply(102, 2, 0, "{cursor: {id: NumberLong(0), firstBatch: [{ok: 0.0, code: 13388}]}, ok: 1.0}");
            f.request(3, "{count: 'd', $db: 'shop'}");
            f.reply(103, 3, 0, "{n: 13388, ok: 1.0}");
            f.request(4, "{count: 'd', $db: 'shop'}");
            f.reply(104, 4, 0, "{}");
        }
        assertThat(f.catalog.changed).isEmpty();
    }

    @Test
    void manyChangesAreReportedTogetherOnceASecond() {
        SessionFixture f = tracking();
        int id = 0;
        for (int i = 0; i < 100; i++) {
            f.request(++id, "{split: 'shop.c', middle: {a: " + i + "}, $db: 'admin'}");
            f.reply(1000 + id, id, 0, OK);
        }
        assertThat(f.catalog.changed).hasSize(1);
        pass(f, Duration.ofMillis(999));
        assertThat(f.catalog.changed).hasSize(1);
        pass(f, Duration.ofMillis(1));
        assertThat(f.catalog.changed).containsExactly(new Namespace("shop", "c"), new Namespace("shop", "c"));
        for (String namespace : new String[] {"shop.d", "shop.e"}) {
            f.request(++id, "{split: '" + namespace + "', middle: {a: 1}, $db: 'admin'}");
            f.reply(1000 + id, id, 0, OK);
        }
        pass(f, Duration.ofSeconds(1));
        assertThat(f.catalog.changed).as("both are part of").endsWith(new Namespace("shop", ""));
        f.request(++id, "{split: 'shop.d', middle: {a: 1}, $db: 'admin'}");
        f.reply(1000 + id, id, 0, OK);
        f.request(++id, "{movePrimary: 'other', to: 'b', $db: 'admin'}");
        f.reply(1000 + id, id, 0, OK);
        pass(f, Duration.ofSeconds(1));
        assertThat(f.catalog.changed).endsWith(PlacementChange.EVERYTHING).hasSize(4);
        pass(f, Duration.ofSeconds(1));
        f.request(++id, "{split: 'shop.d', middle: {a: 1}, $db: 'admin'}");
        f.reply(1000 + id, id, 0, OK);
        assertThat(f.catalog.changed).as("at once after a quiet second").hasSize(5);
    }

    private static void pass(SessionFixture f, Duration time) {
        f.nanos += time.toNanos();
        f.loop.pass(time);
    }

    @Test
    void anErrorIsSeenWhereItComesInPiecesToo() {
        SessionFixture f = SessionFixture.connected();
        f.recording = false;
        f.request(1, "{find: 'd', $db: 'shop'}");
        ByteBuf reply = SessionFixture.frame(101, 1, 0, "{ok: 0.0, errmsg: 'stale', code: 13388}");
        f.replyInParts(reply, 60);
        assertThat(f.catalog.changed).containsExactly(new Namespace("shop", "d"));
    }
}
