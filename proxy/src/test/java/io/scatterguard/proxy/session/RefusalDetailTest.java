package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardedCollection;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Rationale;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.policy.RefusalTerms.Detail;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a refusal says, with as much detail as is configured. */
class RefusalDetailTest {
    private static final RefusalTerms FULL = new RefusalTerms(Detail.FULL, true, true, false);
    private static final CatalogSnapshot CATALOG = new CatalogSnapshot(
            Instant.EPOCH,
            true,
            ShardRegistry.empty().withRegistered(List.of("shard-a")),
            Map.of("shop", 0),
            Map.of(Namespace.parse("shop.orders"), ShardedCollection.of("shop.orders", "{customerId: 1, orderId: 1}")));
    private static final String FIND = "{find: 'orders', filter: {orderId: {$gt: 4711}}}";
    private static final String BATCH = "{update: 'orders', updates: [{q: {customerId: 4711, orderId: 1}, u: {}},"
            + " {q: {status: 'secret'}, u: {$set: {a: 1}}, multi: true}]}";

    private static CommandView command(String json) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse(json)));
    }

    private static BsonDocument refusal(String json, RefusalTerms terms, boolean failing) {
        return refusal(json, terms, failing, Rationale.NONE);
    }

    private static BsonDocument refusal(String json, RefusalTerms terms, boolean failing, Rationale rationale) {
        CommandView command = command(json);
        Route route = new KeyRouter().route(command, CATALOG, RouterRelease.parse("6.0"));
        String reason = failing ? Reasons.WOULD_FAIL : Reasons.RULE;
        WouldFail failure =
                new WouldFail(PredictedError.SHARD_KEY_NOT_FOUND, WouldFail.Cause.UPSERT_WITHOUT_KEY, 1, true);
        Verdict verdict =
                new Verdict(Action.REFUSE, false, failing ? null : "no-scan", null, reason, 1).because(rationale);
        Judgement judgement = new Judgement(route, verdict, failing ? failure : null);
        return Refusal.document(command, judgement, Notes.of(command, route), terms);
    }

    private static BsonDocument refusal(String json, RefusalTerms terms) {
        return refusal(json, terms, false);
    }

    private static String errmsg(String json, RefusalTerms terms) {
        return refusal(json, terms).getString("errmsg").getValue();
    }

    @Test
    void theTextSaysAllThatADeveloperNeeds() {
        assertThat(errmsg(FIND, FULL))
                .isEqualTo("Scatterguard refused find on shop.orders by rule no-scan: No usable predicate narrows"
                        + " \"customerId\", the first field of the shard key {customerId: 1, orderId: 1}. It constrains"
                        + " \"orderId\" by range, and leaves out \"customerId\". To fix it, add a predicate on"
                        + " \"customerId\"; or have it exempted and give it the comment"
                        + " \"scatterguard:allow=<exemption id>\".");
        assertThat(errmsg("{find: 'orders'}", FULL))
                .contains(" with shard key {customerId: 1, orderId: 1} by rule", " It constrains no field of the key.");
    }

    @Test
    void theFieldsSayTheSame() {
        assertThat(refusal(FIND, FULL).getDocument("scatterguard"))
                .isEqualTo(BsonDocument.parse("{namespace: 'shop.orders', command: 'find',"
                        + " shardKey: '{customerId: 1, orderId: 1}', constrained: ['orderId'], missing: ['customerId'],"
                        + " shardTotal: 1, shape: 'scatterGather', placement: 'oneShard', shards: ['shard-a'],"
                        + " statement: 0, shapeHash: '"
                        + QueryShapes.of(command(FIND)).hash() + "', reason: 'rule',"
                        + " rule: 'no-scan', fix: 'add a predicate on \"customerId\"', exemptible: true}"));
        assertThat(refusal(BATCH, FULL)
                        .getDocument("scatterguard")
                        .getInt32("statement")
                        .getValue())
                .isOne();
    }

    @Test
    void anExemptionIsOfferedWhereThereCanBeOne() {
        assertThat(errmsg(FIND, new RefusalTerms(Detail.FULL, true, false, false)))
                .endsWith("on \"customerId\"; or have it exempted.");
        assertThat(errmsg(FIND, new RefusalTerms(Detail.FULL, false, true, false)))
                .endsWith("on \"customerId\"; the rule allows no exemption.");
        String stream = "{aggregate: 'orders', pipeline: [{$changeStream: {}}], cursor: {}}";
        assertThat(errmsg(stream, FULL))
                .endsWith("by its nature. To let it pass, have it exempted and give it the comment"
                        + " \"scatterguard:allow=<exemption id>\".")
                .doesNotContain("To fix it");
        assertThat(errmsg(stream, new RefusalTerms(Detail.FULL, false, true, false)))
                .endsWith("by its nature. It cannot pass: the rule allows no exemption.");
    }

    @Test
    void namesOnlyTellsNeitherTheKeyNorTheShape() {
        BsonDocument refusal = refusal(FIND, new RefusalTerms(Detail.NAMES_ONLY, true, true, false));
        assertThat(refusal.getString("errmsg").getValue())
                .isEqualTo("Scatterguard refused find on shop.orders by rule no-scan: it leaves out \"customerId\".");
        assertThat(refusal.getDocument("scatterguard"))
                .isEqualTo(BsonDocument.parse("{namespace: 'shop.orders', missing: ['customerId'], rule: 'no-scan'}"));
        assertThat(refusal.getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(errmsg("{count: 'other'}", new RefusalTerms(Detail.NAMES_ONLY, true, true, false)))
                .isEqualTo("Scatterguard refused count on shop.other by rule no-scan.");
    }

    @Test
    void codeOnlyNamesNothing() {
        RefusalTerms terms = new RefusalTerms(Detail.CODE_ONLY, true, true, false);
        assertThat(refusal(FIND, terms))
                .isEqualTo(BsonDocument.parse("{ok: 0.0, code: 61001, codeName: 'ScatterGatherRefused',"
                        + " errmsg: 'Scatterguard refused the command.', errorLabels: ['ScatterguardRefused']}"));
        assertThat(refusal(FIND, terms, true).toJson()).doesNotContain("shop", "customerId");
    }

    @Test
    void whatAClusterWouldRefuseIsToldLikewise() {
        BsonDocument full = refusal(BATCH, FULL, true);
        assertThat(full.getInt32("code").getValue()).isEqualTo(61);
        assertThat(full.getString("errmsg").getValue())
                .contains("with shard key {customerId: 1, orderId: 1}: a sharded cluster of release 6.0 answers with"
                        + " ShardKeyNotFound (61), because an upsert needs the full shard key in its filter. To fix it,"
                        + " give the full shard key by equality; or have it exempted");
        assertThat(full.getDocument("scatterguard").getString("cause").getValue())
                .isEqualTo("upsertWithoutKey");
        BsonDocument names = refusal(BATCH, new RefusalTerms(Detail.NAMES_ONLY, true, true, false), true);
        assertThat(names.getDocument("scatterguard"))
                .isEqualTo(BsonDocument.parse(
                        "{namespace: 'shop.orders', missing: ['customerId', 'orderId'], wouldFail: true}"));
    }

    @ParameterizedTest
    @EnumSource(Detail.class)
    void noValueIsInIt(Detail detail) {
        RefusalTerms terms = new RefusalTerms(detail, true, true, false);
        assertThat(refusal(FIND, terms).toJson()).doesNotContain("4711");
        assertThat(refusal(BATCH, terms).toJson()).doesNotContain("4711", "secret");
        assertThat(refusal(BATCH, terms, true).toJson()).doesNotContain("4711", "secret");
    }

    @Test
    void everyFieldIsDescribedAndNoOther() throws IOException {
        TreeSet<String> written = new TreeSet<>();
        for (boolean failing : new boolean[] {true, false}) {
            String delete = "{delete: 'orders', deletes: [{q: {_id: 1}, limit: 1}]}";
            written.addAll(refusal(delete, FULL, failing, new Rationale("it takes a minute", "orders-team"))
                    .getDocument("scatterguard")
                    .keySet());
        }
        String page = Files.readString(Path.of("..", "docs", "refusals.md"));
        String table = page.substring(page.indexOf("## Fields"), page.indexOf("## How much it tells"));
        assertThat(Pattern.compile("(?m)^\\| `(\\w+)` \\|")
                        .matcher(table)
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(written);
    }
}
