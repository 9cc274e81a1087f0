package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Oracle.Answer;
import io.scatterguard.tests.fuzz.Oracle.Rules;
import io.scatterguard.tests.fuzz.RouterUnderTest.Prediction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A prediction that is said to be exact is the oracle's set; one that is an upper bound holds it. */
final class Tightness implements Property {
    private static final Map<String, Rules> RULES =
            Map.of("6.3", Rules.OF_6_3, "8.0", Rules.OF_8_0, "9.0", Rules.OF_9_0);

    @Override
    public Optional<Violation> violation(FuzzCase c, RouterUnderTest router, Tally tally) {
        List<Prediction> predictions = router.predict(c, c.releases());
        for (int i = 0; i < predictions.size(); i++) {
            String release = c.releases().get(i);
            Answer answer = new Oracle(RULES.get(release)).answer(c);
            tally(release, c, answer, predictions.get(i), tally);
            String fault = fault(answer, predictions.get(i));
            if (!fault.isEmpty()) {
                Set<String> expected = answer.shards().iterator().next();
                return Optional.of(new Violation(release, expected, fault));
            }
        }
        return Optional.empty();
    }

    private static String fault(Answer answer, Prediction prediction) {
        boolean held = answer.shards().stream().anyMatch(prediction.shards()::containsAll);
        boolean right = prediction.exact() ? answer.shards().contains(prediction.shards()) : held;
        if (!prediction.error().isEmpty()) {
            return "predicted the error " + prediction.error();
        }
        return right || answer.open()
                ? ""
                : "predicted " + (prediction.exact() ? "" : "at most ") + prediction.shards() + ", the oracle says "
                        + answer.shards();
    }

    private static void tally(String release, FuzzCase c, Answer answer, Prediction prediction, Tally tally) {
        tally.count(release);
        if (!prediction.exact()) {
            tally.count(release + " upper bounds");
        } else if (answer.open()) {
            tally.count(release + " left open");
        } else if (answer.shards().size() > 1) {
            tally.count(release + " several answers");
        }
        Set<String> owning = c.layout().owning();
        if (prediction.shards().containsAll(owning)) {
            tally.count(release + " all shards");
            if (owning.size() > 1) {
                tally.count(release + " all of several shards");
            }
        }
        if (owning.size() > 1) {
            tally.count(release + " several owners");
        }
    }
}
