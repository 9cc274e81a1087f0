package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.SecondaryRoute;
import io.scatterguard.proxy.routing.SecondaryRoutes;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Checks a case: a command on a collection of which the shard key is known, and the label it is expected to get, {@code
 * single}, {@code many}, {@code all}, {@code unsharded}, {@code error} or {@code n/a}. The legend of the format is in the
 * first line of a file of cases.
 *
 * <p>{@code single} and {@code all} have to hold on every {@linkplain CaseCatalog layout}; {@code many} on the fine one: on
 * three shards it may well be all of them. A case holds for 4.4 to 8.0 unless it says otherwise, and is tried for
 * 6.3, 7.1 and 8.0; for releases before 4.4 only where it says what they do ({@code expectBefore44}). What nested stages
 * read ({@code inner}) is compared with the shape of the secondary route to it.
 */
final class CaseCheck {
    private static final String FREE = "4.4-8.0";
    private static final RouterRelease BEFORE_44 = new RouterRelease(4, 2);
    private static final RouterRelease BEFORE_71 = new RouterRelease(6, 3);
    /** Where cases differ before 7.1, 7.0 is on one side by the manual and on the other by its code (addendum §A.2). */
    private static final RouterRelease OF_70 = new RouterRelease(7, 0);

    private static final RouterRelease OF_71 = new RouterRelease(7, 1);
    private static final RouterRelease OF_80 = new RouterRelease(8, 0);
    private static final RouterRelease OF_44 = new RouterRelease(4, 4);

    private final Members given;

    CaseCheck(Members given) {
        this.given = given;
    }

    /** @param only the release to check for; null for one on each side of every change */
    Outcome check(@Nullable RouterRelease only) {
        String id = given.string("id");
        Releases valid = Releases.parse(given.string("validFor", FREE));
        List<RouterRelease> tried = new ArrayList<>();
        for (RouterRelease release : only != null ? List.of(only) : releases()) {
            boolean holds = release.compareTo(OF_44) < 0 ? given.has("expectBefore44") : valid.contains(release);
            if (holds && isSettled(release, valid)) {
                tried.add(release);
            }
        }
        if (tried.isEmpty()) {
            boolean unsettled = only != null && valid.contains(only) && !isSettled(only, valid);
            return Outcome.skipped(
                    id,
                    unsettled
                            ? "differs before 7.1, and on which side " + only + " is, is not settled"
                            : "holds for " + given.string("validFor", FREE));
        }
        List<Outcome.Finding> findings = new ArrayList<>();
        for (RouterRelease release : tried) {
            for (CaseCatalog catalog : CaseCatalog.of(given)) {
                Prediction prediction =
                        Prediction.of(given.database(command()), command(), catalog.snapshot(), release);
                findings.add(new Outcome.Finding(release, prediction, disagreement(prediction, release, catalog)));
            }
        }
        return Outcome.of(id, findings);
    }

    private BsonDocument command() {
        return given.document("command");
    }

    private boolean isSettled(RouterRelease release, Releases valid) {
        boolean differs = given.has("expectBefore71") || valid.contains(BEFORE_71) != valid.contains(OF_71);
        return !differs || !release.equals(OF_70);
    }

    private List<RouterRelease> releases() {
        List<RouterRelease> releases = new ArrayList<>(List.of(BEFORE_71, OF_71, OF_80));
        if (given.has("expectBefore44")) {
            releases.add(BEFORE_44);
        }
        return releases;
    }

    private String expected(RouterRelease release) {
        String expected = given.string("expect");
        if (given.has("expectBefore44") && release.compareTo(OF_44) < 0) {
            return given.string("expectBefore44");
        }
        return release.compareTo(OF_71) < 0 ? given.string("expectBefore71", expected) : expected;
    }

    private String disagreement(Prediction prediction, RouterRelease release, CaseCatalog catalog) {
        String expected = expected(release);
        List<String> labels = labels(prediction.route());
        String label = worst(labels);
        if (!agrees(expected, label, catalog.fine())) {
            return expected + " expected, " + label + " predicted: " + prediction.shards();
        }
        if (label.equals("error")) {
            PredictedError error = prediction.error();
            boolean same = !given.has("errorCode") || (error != null && error.code() == given.number("errorCode"));
            return same ? "" : "error " + given.number("errorCode") + " expected, " + error + " predicted";
        }
        if (given.has("targets")
                && !given.strings("targets").stream().sorted().toList().equals(prediction.shards())) {
            return "shards " + given.strings("targets") + " expected, " + prediction.shards() + " predicted";
        }
        boolean own = expected.equals(given.string("expect"));
        String each = own && given.has("expectEach") ? each(labels, catalog.fine()) : "";
        return each.isEmpty() && given.has("inner") ? inner(release, catalog) : each;
    }

    /** What the collections of nested stages are expected to get. */
    private String inner(RouterRelease release, CaseCatalog catalog) {
        CommandView command = Prediction.view(given.database(command()), command());
        List<SecondaryRoute> routes = SecondaryRoutes.of(command, catalog.snapshot(), release);
        for (BsonDocument document : given.documents("inner")) {
            Members inner = new Members(document);
            String expected = inner.string("expect");
            List<String> labels = routes.stream()
                    .filter(route -> route.namespace().fullName().equals(inner.string("ns")))
                    .map(CaseCheck::label)
                    .toList();
            if (!labels.contains(expected)) {
                return inner.string("ns") + ": " + expected + " expected, " + labels + " predicted";
            }
        }
        return "";
    }

    private static String label(SecondaryRoute route) {
        Shape shape = route.shape();
        if (shape == null) {
            return "unsharded";
        }
        return switch (shape) {
            case SINGLE_SHARD -> "single";
            case MULTI_SHARD -> "many";
            case SCATTER_GATHER -> "all";
        };
    }

    private String each(List<String> labels, boolean fine) {
        List<String> expected = given.strings("expectEach");
        boolean agree = expected.size() == labels.size();
        for (int i = 0; agree && i < labels.size(); i++) {
            agree = agrees(expected.get(i), labels.get(i), fine);
        }
        return agree ? "" : "of each statement " + expected + " expected, " + labels + " predicted";
    }

    /** On few shards, many may be all. */
    private static boolean agrees(String expected, String label, boolean fine) {
        return expected.equals(label) || (!fine && expected.equals("many") && label.equals("all"));
    }

    private static List<String> labels(Route route) {
        List<String> labels = new ArrayList<>(route.statements().size());
        for (StatementRoute statement : route.statements()) {
            labels.add(label(route, statement));
        }
        return labels;
    }

    private static String label(Route route, StatementRoute statement) {
        if (route.kind() == Route.Kind.NOT_ROUTED) {
            return "n/a";
        }
        if (statement.error() != null) {
            return "error";
        }
        return switch (statement.placement()) {
            case UNSHARDED -> "unsharded";
            case ONE_SHARD -> "single";
            case MANY_SHARDS -> "many";
            case ALL_SHARDS -> "all";
        };
    }

    private static String worst(List<String> labels) {
        for (String label : List.of("error", "all", "many", "single")) {
            if (labels.contains(label)) {
                return label;
            }
        }
        return labels.get(0);
    }
}
