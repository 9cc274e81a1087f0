package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.changes.Changes;
import io.scatterguard.proxy.changes.ChangesTally;
import io.scatterguard.proxy.changes.Comparison;
import io.scatterguard.proxy.changes.Side;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Router;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The two sides that {@code check --compare} judges by. */
final class CheckSides {
    private final Side before;
    private final Side after;

    /**
     * Reads both catalogs.
     *
     * @param policy one for each side
     * @throws IOException if the cluster cannot be read
     */
    CheckSides(CommandLine command, CatalogOptions catalog, CompareOptions compare, Supplier<Policy> policy)
            throws IOException {
        CatalogOptions other = compare.of(catalog);
        if (!catalog.isGiven()) {
            throw new ParameterException(
                    command,
                    "a comparison needs what commands are judged by today: --rules FILE, --catalog DUMP, --uri URI or"
                            + " --config FILE");
        }
        if ("-".equals(catalog.dump()) && "-".equals(other.dump())) {
            throw new ParameterException(command, "--catalog - can be read once only (expected: a file)");
        }
        this.before = side(command, catalog, policy.get());
        this.after = side(command, other, policy.get());
    }

    private static Side side(CommandLine command, CatalogOptions catalog, Policy policy) throws IOException {
        CatalogOptions.Loaded loaded = catalog.load(command, namespace -> true);
        // What a cluster would refuse is what an upgrade or another key changes, also where a cluster has answered.
        Router router = new Rehearsal(new KeyRouter(), false);
        return new Side(catalog.source(), router, loaded.catalog().snapshot(), loaded.release(), policy);
    }

    Comparison comparison() {
        return new Comparison(before, after, Clock.systemUTC());
    }

    /** What {@code tally} came to. */
    Changes changes(ChangesTally tally) {
        return tally.changes(text(before), text(after));
    }

    private static String text(Side side) {
        return "release " + side.release() + ", " + side.source();
    }
}
