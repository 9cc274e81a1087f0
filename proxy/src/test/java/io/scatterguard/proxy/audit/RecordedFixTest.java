package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedFixTest {
    private static final String KEYED = "shardKey: {region: 1, userId: 1}, allShards: ['x', 'y'], chunks: ["
            + "{min: {region: {$minKey: 1}, userId: {$minKey: 1}}, max: {region: 'm', userId: 0}, shard: 'x'},"
            + "{min: {region: 'm', userId: 0}, max: {region: {$maxKey: 1}, userId: {$maxKey: 1}}, shard: 'y'}]";
    private static final CatalogSnapshot CATALOG = VectorCatalog.of("{" + KEYED + "}");

    private static RecordedFix fix(Router router, CommandView command, Verdict verdict) {
        Route route = router.route(command, CATALOG, new RouterRelease(6, 3));
        WouldFail wouldFail = router.wouldFail(command, route, CATALOG);
        return RecordedFix.of(command, route, verdict, Notes.of(command, route), wouldFail);
    }

    private static CommandView command(String json) {
        return Given.command(BsonDocument.parse(json).append("$db", new BsonString("test")));
    }

    private static RecordedFix fix(String json) {
        return fix(new KeyRouter(), command(json), Given.LOGGED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "{find: 'c', filter: {userId: 7}} -> filter: {region: <value>, userId: ?number}",
                "{find: 'c', filter: {status: 'x'}} -> filter: {region: <value>, userId: <value>, status: ?string}",
                "{find: 'c'} -> filter: {region: <value>, userId: <value>}",
                "{find: 'c', filter: {region: {$ne: 'eu'}, userId: 7}} -> filter: {region: <value>, userId: ?number}",
                "{find: 'c', filter: {$or: [{region: 'a'}, {x: 1}]}} -> "
                        + "filter: {region: <value>, userId: <value>, $or: [{region: ?string}, {x: ?number}]}",
                "{find: 'c', filter: {region: {$gt: 'a'}}} -> filter: {userId: <value>, region: {$gt: ?string}}",
                "{count: 'c', query: {userId: 7}} -> query: {region: <value>, userId: ?number}",
                "{distinct: 'c', key: 'a', query: {userId: 7}} -> query: {region: <value>, userId: ?number}",
                "{aggregate: 'c', pipeline: [{$match: {userId: 7}}], cursor: {}} -> $match: {region: <value>, userId: ?number}",
                "{aggregate: 'c', pipeline: [{$group: {_id: 1}}], cursor: {}} -> $match: {region: <value>, userId: <value>}",
                "{update: 'c', updates: [{q: {region: 'a', userId: 1}, u: {$set: {a: 1}}},"
                        + " {q: {userId: 7}, u: {$set: {a: 1}}, multi: true}]} -> q: {region: <value>, userId: ?number}",
                "{delete: 'c', deletes: [{q: {_id: 7}, limit: 1}]} -> q: {region: <value>, userId: <value>, _id: ?number}",
                "{findAndModify: 'c', query: {region: 'a'}, remove: true} -> query: {region: <value>, userId: <value>}",
            })
    void theFilterIsShownAsItWouldBeWritten(String command, String filter) {
        RecordedFix fix = fix(command);
        assertThat(fix.filter()).isEqualTo(filter);
        assertThat(fix.clause()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "{find: 'c', filter: {region: 'a', userId: 1}} -> ''",
                "{insert: 'c', documents: [{region: [1]}]} -> give the full shard key {region: 1, userId: 1} by equality",
                "{aggregate: 'c', pipeline: [{$limit: 1}, {$match: {region: 'a'}}], cursor: {}} -> put the $match on \"region\" in front of it",
                "{collStats: 'c'} -> ''",
            })
    void otherFixesHaveNoFilter(String command, String clause) {
        assertThat(fix(command)).isEqualTo(new RecordedFix(clause, ""));
    }

    @Test
    void aStatementBesideTheBodyIsFoundByItsPlace() {
        CommandView command = Given.commandWithSequence(
                "{delete: 'c', $db: 'test'}",
                "deletes",
                List.of(
                        BsonDocument.parse("{q: {region: 'a', userId: 1}, limit: 1}"),
                        BsonDocument.parse("{q: {secret: 's3cr3t'}, limit: 0}")));
        assertThat(fix(new KeyRouter(), command, Given.LOGGED).filter())
                .isEqualTo("q: {region: <value>, userId: <value>, secret: ?string}");
    }

    @Test
    void whatAClusterWouldRefuseIsFixedInTheStatementThatIsRefused() {
        CommandView command = command("{update: 'c', updates: [{q: {region: 'b', userId: 1}, u: {$set: {a: 1}}},"
                + " {q: {status: 'open'}, u: {$set: {a: 1}}}]}");
        RecordedFix fix = fix(new Rehearsal(new KeyRouter(), false), command, Given.LOGGED);
        assertThat(fix.clause()).isEqualTo(WouldFail.Cause.UPDATE_ONE_WITHOUT_KEY.fix());
        assertThat(fix.filter()).isEqualTo("q: {region: <value>, userId: <value>, status: ?string}");
    }

    @Test
    void whatIsNoFindingHasNone() {
        CommandView command = command("{find: 'c', filter: {userId: 7}}");
        assertThat(fix(new KeyRouter(), command, Given.ALLOWED)).isEqualTo(RecordedFix.NONE);
        assertThat(fix(new KeyRouter(), command, Given.EXEMPTED).clause()).isNotEmpty();
    }
}
