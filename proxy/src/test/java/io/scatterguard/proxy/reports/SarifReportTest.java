package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class SarifReportTest {
    private static JsonNode run() throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(SarifReport.of(SampleFindings.both()))
                .path("runs")
                .path(0);
    }

    @Test
    void eachFindingIsAResultOfItsKindsRule() throws JsonProcessingException {
        JsonNode rules = run().path("tool").path("driver").path("rules");
        JsonNode first = run().path("results").path(0);
        JsonNode second = run().path("results").path(1);
        assertThat(rules).hasSize(Finding.Kind.values().length);
        for (JsonNode result : run().path("results")) {
            assertThat(rules.path(result.path("ruleIndex").asInt()).path("id").asText())
                    .isEqualTo(result.path("ruleId").asText());
        }
        assertThat(first.path("ruleId").asText()).isEqualTo("scatter-gather");
        assertThat(first.path("level").asText()).as("refused").isEqualTo("error");
        assertThat(first.path("baselineState").asText()).isEqualTo("new");
        assertThat(first.path("occurrenceCount").asInt()).isEqualTo(2);
        assertThat(second.path("level").asText()).isEqualTo("warning");
        assertThat(second.path("baselineState").asText()).isEqualTo("unchanged");
    }

    @Test
    void itsPlaceIsItsNamespaceAndItsFingerprintItsShape() throws JsonProcessingException {
        JsonNode first = run().path("results").path(0);
        JsonNode location = first.path("locations").path(0);
        JsonNode logical = location.path("logicalLocations").path(0);
        assertThat(logical.path("fullyQualifiedName").asText()).isEqualTo("shop.orders");
        assertThat(logical.path("name").asText()).isEqualTo("orders");
        assertThat(location.path("physicalLocation")
                        .path("artifactLocation")
                        .path("uri")
                        .asText())
                .isEqualTo("namespaces/shop.orders");
        assertThat(first.path("partialFingerprints"))
                .isNotEmpty()
                .allMatch(one -> one.asText().equals(SampleFindings.ID));
    }

    /** Braces are placeholders in a message, brackets are links. */
    @Test
    void theMessageIsPlainText() throws JsonProcessingException {
        JsonNode first = run().path("results").path(0);
        assertThat(first.path("message").path("text").asText())
                .startsWith(
                        SampleFindings.ID + " new scatter-gather shop.orders find\nfind (filter: (userId: ?number))\n")
                .doesNotContain("{", "}", "[", "]");
    }

    /** The properties are the finding as the JSON report has it, and the totals. */
    @Test
    void thePropertiesAreThoseOfTheJsonReport() throws JsonProcessingException {
        JsonNode json = new ObjectMapper().readTree(JsonReport.of(SampleFindings.both()));
        assertThat(run().path("results").path(0).path("properties"))
                .isEqualTo(json.path("findings").path(0));
        assertThat(run().path("properties").path("totals")).isEqualTo(json.path("totals"));
    }
}
