package io.scatterguard.proxy.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class ProfileDocumentTest {
    private static final String END = "ts: {$date: '2026-11-30T10:00:00.250Z'}, client: '10.0.0.7', appName: 'shop',"
            + " user: 'alice@admin', millis: 7}";

    private static LogEntry entry(String document) {
        return ProfileDocument.entry(BsonDocument.parse(document));
    }

    @Test
    void aQueryIsTheCommandAsItCame() {
        LogEntry entry = entry(
                "{op: 'query', ns: 'shop.orders', command: {find: 'orders', filter: {a: 1}, $db: 'shop'}, " + END);
        LoggedCommand found = ((LogEntry.Ran) entry).command();
        assertThat(found.command()).isEqualTo(BsonDocument.parse("{find: 'orders', filter: {a: 1}, $db: 'shop'}"));
        assertThat(found.at()).isEqualTo(Instant.parse("2026-11-30T10:00:00.250Z"));
        assertThat(found.serverMicros()).isEqualTo(7_000);
        assertThat(found.client().user()).isEqualTo("alice");
        assertThat(found.client().userDatabase()).isEqualTo("admin");
        assertThat(found.client().appName()).isEqualTo("shop");
    }

    /** The profiler keeps the beginning of a long command, as text. */
    @Test
    void whatIsTruncatedIsLeftOut() {
        LogEntry own = entry("{op: 'query', ns: 'shop.orders', command: {$truncated: '{ find: x'}, " + END);
        assertThat(((LogEntry.Incomplete) own).why()).contains("truncated");
        LogEntry more =
                entry("{op: 'getmore', ns: 'shop.orders', command: {getMore: 7, collection: 'orders', $db: 'shop'},"
                        + " originatingCommand: {$truncated: '{ find: x'}, " + END);
        assertThat(((LogEntry.Incomplete) more).why()).contains("truncated");
    }

    @Test
    void aStatementAndAFurtherBatchAreReadAsFromALog() {
        LogEntry update = entry(
                "{op: 'update', ns: 'shop.orders', command: {q: {a: 1}, u: {$set: {b: 2}}, multi: false}, " + END);
        assertThat(((LogEntry.Ran) update).command().command().getArray("updates"))
                .hasSize(1);
        LogEntry remove = entry("{op: 'remove', ns: 'shop.orders', command: {q: {a: 1}}, " + END);
        assertThat(((LogEntry.Ran) remove).command().command())
                .isEqualTo(BsonDocument.parse("{delete: 'orders', deletes: [{q: {a: 1}, limit: 0}], $db: 'shop'}"));
        LogEntry more =
                entry("{op: 'getmore', ns: 'shop.orders', command: {getMore: 7, collection: 'orders', $db: 'shop'},"
                        + " originatingCommand: {aggregate: 'orders', pipeline: [], $db: 'shop'}, " + END);
        assertThat(((LogEntry.Ran) more).command().continued()).isTrue();
    }

    @Test
    void anInsertWithoutDocumentsTellsTooLittle() {
        assertThat(entry("{op: 'insert', ns: 'shop.orders', command: {insert: 'orders', ordered: true, $db: 'shop'}, "
                        + END))
                .isEqualTo(new LogEntry.Incomplete("the statements of \"insert\" are not recorded"));
        assertThat(entry("{op: 'command', ns: 'shop.orders', " + END)).isInstanceOf(LogEntry.Incomplete.class);
    }

    @Test
    void anotherDocumentIsForeign() {
        assertThat(entry("{find: 'orders', filter: {}}")).isInstanceOf(LogEntry.Foreign.class);
    }
}
