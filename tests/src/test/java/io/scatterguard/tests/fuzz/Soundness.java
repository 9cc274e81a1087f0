package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.RouterUnderTest.Prediction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;

/** Every document that matches lives on a predicted shard. */
final class Soundness implements Property {
    @Override
    public Optional<Violation> violation(FuzzCase c, RouterUnderTest router, Tally tally) {
        if (!MatcherDomain.covers(c)) {
            throw new IllegalArgumentException("not proven for the matcher: " + c.filter());
        }
        tally.count("cases");
        Matcher matcher = new Matcher(c.filter(), !c.isSimple());
        List<Prediction> predictions = null;
        for (BsonDocument document : c.documents()) {
            String place = c.layout().placeOf(document);
            if (place != null && MatcherDomain.covers(c, document)) {
                tally.count("documents");
                if (matcher.matches(document)) {
                    tally.count("matching documents");
                    predictions = predictions == null ? router.predict(c, c.releases()) : predictions;
                    Optional<Violation> missed = missed(c, document, place, predictions);
                    if (missed.isPresent()) {
                        return missed;
                    }
                }
            }
        }
        if (predictions != null) {
            tally.count("cases with a match");
        }
        return Optional.empty();
    }

    private static Optional<Violation> missed(
            FuzzCase c, BsonDocument document, String place, List<Prediction> predictions) {
        for (int i = 0; i < predictions.size(); i++) {
            Set<String> predicted = predictions.get(i).shards();
            if (!predicted.contains(place)) {
                Set<String> expected = new TreeSet<>(predicted);
                expected.add(place);
                String detail = document.toJson() + " matches and is on " + place + ", predicted " + predicted;
                return Optional.of(new Violation(c.releases().get(i), expected, detail));
            }
        }
        return Optional.empty();
    }
}
