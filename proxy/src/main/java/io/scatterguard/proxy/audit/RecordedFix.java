package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Fix;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a record says of the fix of a finding. Holds no values of commands.
 *
 * @param clause what to do, a short imperative clause; empty if there is nothing
 * @param filter the filter as it would be written; empty if no filter is to be changed
 */
record RecordedFix(String clause, String filter) {
    static final RecordedFix NONE = new RecordedFix("", "");

    /** Of what is no finding nothing is looked for. {@code command} is borrowed. */
    static RecordedFix of(
            CommandView command, Route route, Verdict verdict, List<Note> notes, @Nullable WouldFail wouldFail) {
        if (!verdict.isFinding() || route.kind() == Route.Kind.NOT_ROUTED) {
            return NONE;
        }
        Fix fix = Fix.of(route, wouldFail, notes);
        return new RecordedFix(fix.clause(), filter(command, fix));
    }

    private static String filter(CommandView command, Fix fix) {
        try {
            return JsonFields.cut(FixedFilter.of(command, fix), RouteFields.MAX_WHY_CHARS);
        } catch (MalformedBsonException e) {
            return "";
        }
    }
}
