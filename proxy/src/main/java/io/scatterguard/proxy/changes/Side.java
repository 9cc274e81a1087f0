package io.scatterguard.proxy.changes;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Fix;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: by what commands are judged.
 *
 * @param source where the shard keys are from, for people; empty for the same source as the other side's
 * @param router says as well what a cluster would refuse
 */
public record Side(String source, Router router, CatalogSnapshot catalog, RouterRelease release, Policy policy) {

    /** A command that was judged. */
    record Judged(Route route, @Nullable WouldFail wouldFail, Verdict verdict) {
        Fate fate() {
            return Fate.of(route, wouldFail, verdict);
        }

        String why() {
            return wouldFail != null && wouldFail.certain() ? wouldFail.sentence() : RouteText.why(route);
        }

        /** What to do; {@code command} is borrowed. */
        String fix(CommandView command) {
            return Fix.of(route, wouldFail, notes(command)).clause();
        }

        private List<Note> notes(CommandView command) {
            try {
                return Notes.of(command, route);
            } catch (MalformedBsonException e) {
                return List.of();
            }
        }
    }

    /** Judges {@code command}, which is borrowed. */
    Judged judge(CommandView command, ClientInfo client, Instant at) {
        Route route = router.route(command, catalog, release);
        WouldFail wouldFail = router.wouldFail(command, route, catalog);
        return new Judged(route, wouldFail, policy.decide(command, route, wouldFail, client, at));
    }
}
