package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";

    private static TracedCommand traced(String comment) {
        return TracedCommand.of(
                Given.command("{find: 'orders', filter: {}, comment: " + comment + "}"), Given.broadcast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"traceparent=" + SAMPLED + "\"",
                "\"traceparent:" + SAMPLED + "\"",
                "\"route:/orders traceparent='" + SAMPLED + "',framework='x'\"",
                "\"traceparent=zzz, traceparent=" + SAMPLED + "\"",
                "{route: '/orders', traceparent: '" + SAMPLED + "'}"
            })
    void isFoundInComments(String comment) {
        TracedCommand traced = traced(comment);

        assertThat(traced).isNotNull();
        assertThat(traced.parent().traceId()).isEqualTo(TRACE);
        assertThat(traced.parent().spanId()).isEqualTo(SPAN);
        assertThat(traced.parent()).hasToString(SAMPLED);
        assertThat(traced.name()).isEqualTo("find");
        assertThat(traced.namespace()).isEqualTo(Namespace.parse("shop.orders"));
    }

    @ParameterizedTest
    @CsvSource({"00, false", "01, true", "02, false", "03, true", "ff, true"})
    void onlyOneFlagCounts(String flags, boolean sampled) {
        assertThat(traced("'traceparent=00-" + TRACE + "-" + SPAN + "-" + flags + "'") != null)
                .isEqualTo(sampled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"traceparent=\"",
                "\"traceparent\"",
                "\"trace=" + SAMPLED + "\"",
                "\"" + SAMPLED + "\"",
                "\"traceparent=ff-" + TRACE + "-" + SPAN + "-01\"",
                "\"traceparent=00-00000000000000000000000000000000-" + SPAN + "-01\"",
                "\"traceparent=00-" + TRACE + "-0000000000000000-01\"",
                "\"traceparent=00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01\"",
                "\"traceparent=" + SAMPLED + "-more\"",
                "\"traceparent=00-" + TRACE + "-" + SPAN + "\"",
                "{traceparent: 7}",
                "{traceparent: {v: '" + SAMPLED + "'}}",
                "7"
            })
    void whatIsWronglyFormedIsNone(String comment) {
        assertThat(traced(comment)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "isMaster", "saslStart", "createUser", "authenticate"})
    void handshakesAndCredentialsAreInNoTrace(String name) {
        assertThat(TracedCommand.of(
                        Given.command("{" + name + ": 1, comment: 'traceparent=" + SAMPLED + "'}"),
                        Given.notRouted("admin")))
                .isNull();
    }

    /** As a record has them: the first value of a command that is about no collection is no collection. */
    @Test
    void namesAreThoseOfTheRecord() {
        TracedCommand traced = TracedCommand.of(
                Given.command("{getParameter: 'secret', comment: 'traceparent=" + SAMPLED + "', $db: 'admin'}"),
                Given.notRouted("admin"));

        assertThat(traced).isNotNull();
        assertThat(traced.namespace()).isEqualTo(new Namespace("admin", ""));
        assertThat(traced.name()).isEqualTo("getParameter");
    }
}
