package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.offline.LineCheck;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

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

    private static Stream<DynamicTest> ofFile(String file) {
        return new ExpectedDifferences(file).tests(LineCheck.vectors(null));
    }
}
