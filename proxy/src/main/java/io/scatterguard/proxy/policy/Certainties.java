package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.List;

/** How certain the shape of a whole command is. */
final class Certainties {
    private Certainties() {}

    /**
     * {@code EXACT} if a statement that has the command's shape is exact. Not {@link Route#certainty()}: in a batch with
     * one certain broadcast, the broadcast stays certain whatever else is in it.
     */
    static Certainty of(Route route) {
        if (route.worst().certainty() == Certainty.EXACT) {
            return Certainty.EXACT;
        }
        List<StatementRoute> statements = route.statements();
        for (int i = 0; i < statements.size(); i++) {
            StatementRoute statement = statements.get(i);
            if (statement.shape() == route.shape() && statement.certainty() == Certainty.EXACT) {
                return Certainty.EXACT;
            }
        }
        return Certainty.UPPER_BOUND;
    }
}
