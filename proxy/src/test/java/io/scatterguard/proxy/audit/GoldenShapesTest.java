package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Texts and hashes are kept in dashboards, baselines and exemptions: they must be those of the release before. Where one of
 * these tests fails, users lose what they keep; a change on purpose needs another version of the hash, see
 * {@code docs/audit-log.md}. A command may be added at the end of the file.
 */
class GoldenShapesTest {
    static List<JsonNode> shapes() throws IOException {
        try (InputStream in = GoldenShapesTest.class.getResourceAsStream("/shapes/golden.json");
                MappingIterator<JsonNode> shapes =
                        new ObjectMapper().readerFor(JsonNode.class).readValues(in)) {
            return shapes.readAll();
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void isAsItWas(JsonNode golden) {
        QueryShape shape = QueryShapes.of(Given.command(golden.get("command").toString()));

        assertThat(shape.text()).isEqualTo(golden.get("text").asText());
        assertThat(shape.hash()).isEqualTo(golden.get("hash").asText());
    }

    @Test
    void thereAreManyOfThem() throws IOException {
        assertThat(shapes()).hasSizeGreaterThanOrEqualTo(80);
        assertThat(shapes())
                .extracting(golden -> golden.get("command").toString())
                .doesNotHaveDuplicates();
    }

    /** The order of the members and what is left out aside, different shapes have different hashes. */
    @Test
    void hashesTellShapesApart() throws IOException {
        assertThat(shapes().stream()
                        .map(golden -> golden.get("hash").asText())
                        .distinct()
                        .count())
                .isEqualTo(shapes().stream()
                        .map(golden -> golden.get("text").asText()
                                + golden.at("/command/$db").asText())
                        .distinct()
                        .count());
    }
}
