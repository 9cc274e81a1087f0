package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.offline.LineCheck;
import io.scatterguard.proxy.offline.Outcome;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every vector, case and recorded command is predicted exactly, for each release it is about, but for the
 * {@link ExpectedDifferences}.
 */
class VectorsTest {
    @TestFactory
    Stream<DynamicTest> vectorsOf63() {
        return ofFile("targeting-from-tests.jsonl");
    }

    @TestFactory
    Stream<DynamicTest> vectorsOfNewerReleases() {
        return ofFile("targeting-newer.jsonl");
    }

    @TestFactory
    Stream<DynamicTest> hashes() {
        return ofFile("hashed-index-values.jsonl");
    }

    @TestFactory
    Stream<DynamicTest> casesFromDevelopers() {
        return ofFile("developer-cases.jsonl");
    }

    @TestFactory
    Stream<DynamicTest> vectorsFoundByFuzzing() {
        return ofFile("found-by-fuzzing.jsonl");
    }

    @TestFactory
    Stream<DynamicTest> commandsRecordedFromMongos63() {
        CatalogLoad load = CatalogBuilder.load(
                CatalogDump.read(Lines.text("mongos-6.3/collections.json")), ShardRegistry.empty(), Instant.EPOCH);
        assertThat(load.problems()).isEmpty();
        return new ExpectedDifferences("mongos-6.3/commands.jsonl")
                .tests(LineCheck.commands(load.snapshot(), new RouterRelease(6, 3)));
    }

    /** What holds for a release is predicted for it too, where a line says so or says nothing of releases. */
    @ParameterizedTest
    @CsvSource({"targeting-from-tests.jsonl", "targeting-newer.jsonl", "developer-cases.jsonl", "found-by-fuzzing.jsonl"
    })
    void eachReleaseThatALineHoldsFor(String file) {
        Map<String, List<String>> expected = ReleaseDifferences.of(file);
        Map<String, List<String>> found = new TreeMap<>();
        for (String release : List.of("4.4", "5.0", "6.0", "7.0", "8.0")) {
            LineCheck check = LineCheck.vectors(RouterRelease.parse(release));
            for (String line : Lines.of(file)) {
                Outcome outcome = check.check(line);
                if (Boolean.FALSE.equals(outcome.agree())) {
                    found.computeIfAbsent(outcome.id(), id -> new ArrayList<>()).add(release);
                }
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    private static Stream<DynamicTest> ofFile(String file) {
        return new ExpectedDifferences(file).tests(LineCheck.vectors(null));
    }
}
