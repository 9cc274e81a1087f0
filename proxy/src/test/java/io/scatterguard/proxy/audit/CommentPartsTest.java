package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.policy.Verdict;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommentPartsTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static String of(String comment) {
        return CommentParts.of(BsonValueView.of(new BsonString(comment)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scatterguard:allow=backfill-2026-12 | scatterguard:allow=backfill-2026-12
            test:OrdersTest#find route:GET/orders/:id | test:OrdersTest#find route:GET/orders/:id
            asked by bob, scatterguard:allow=x; thanks | scatterguard:allow=x
            route:/orders/{id}/lines | route:/orders/{id}/lines
            route:/users/4711/orders | route:/users/?key/orders
            route:/users/507f1f77bcf86cd799439011 | route:/users/?key
            route:/users/bob@example.com |
            test:find(secret) |
            scatterguard:allow= |
            scatterguard:allow=a'b |
            traceparent=00-zz |
            traceparent |
            nothing of interest |
            """)
    void words(String comment, String expected) {
        assertThat(of(comment)).isEqualTo(expected);
    }

    @Test
    void traceParentIsKeptHoweverItIsWritten() {
        assertThat(of("traceparent=" + TRACE)).isEqualTo("traceparent=" + TRACE);
        assertThat(of("traceparent:" + TRACE + ",x='y'")).isEqualTo("traceparent=" + TRACE);
        assertThat(of("traceparent='" + TRACE + "'")).isEqualTo("traceparent=" + TRACE);
        assertThat(of("traceparent=" + TRACE + "-secret")).isNull();
    }

    @Test
    void documentsAreReadByTheirNames() {
        BsonDocument comment = new BsonDocument("who", new BsonString("bob"))
                .append("test", new BsonString("A#b"))
                .append("scatterguard", new BsonString("allow=nightly"))
                .append("traceparent", new BsonString(TRACE))
                .append("route", new BsonInt32(5));

        assertThat(CommentParts.of(BsonValueView.of(comment)))
                .isEqualTo("test:A#b scatterguard:allow=nightly traceparent=" + TRACE);
    }

    /** Whatever a policy accepts can be found in the record. */
    @Test
    void anExemptionIdIsKeptAtTheLengthAPolicyAccepts() {
        String longest = "scatterguard:allow=" + "a".repeat(Verdict.MAX_EXEMPTION_CHARS);

        assertThat(of(longest)).isEqualTo(longest);
        assertThat(of(longest + "a")).isNull();
    }

    @Test
    void anythingElseGivesNothing() {
        assertThat(CommentParts.of(BsonValueView.of(new BsonInt32(5)))).isNull();
        assertThat(of("test:a " + "x".repeat(CommentParts.MAX_COMMENT_BYTES))).isNull();
        assertThat(of("test:a ".repeat(50)).split(" ")).hasSize(CommentParts.MAX_PARTS);
    }
}
