package io.scatterguard.proxy.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.config.OtlpEndpoint;
import io.scatterguard.proxy.config.Secret;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpSenderTest {
    private final ScriptedCollector collector = ScriptedCollector.start();

    @AfterEach
    void stop() {
        collector.close();
    }

    /** A peer may be lost behind the headers of its answer: the request's own time-out has ended with them. */
    @Test
    void anAnswerThatDoesNotEndIsTriedAgain() throws Exception {
        AtomicInteger unended = new AtomicInteger();
        collector.answers(() -> unended.incrementAndGet() <= 2 ? ScriptedCollector.NO_END : 200);
        List<Duration> pauses = new ArrayList<>();
        OtlpSender sender =
                new OtlpSender(collector.target("/v1/logs"), "records", pauses::add, Duration.ofMillis(500));
        sender.send("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        assertThat(pauses).hasSize(2);
        assertThat(collector.requests()).containsExactly(new ObjectMapper().readTree("{\"a\":1}"));
    }

    /** What the sender refuses would fail at every request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept",
                "Authorization",
                "CONNECTION",
                "Connection",
                "content-length",
                "Cookie",
                "Date",
                "expect",
                "Host",
                "host",
                "Origin",
                "Upgrade",
                "User-Agent",
                "X-Scope-OrgID"
            })
    void aHeaderThatMayBeConfiguredCanBeSent(String name) {
        boolean sent;
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1/"));
            request.header(name, "a");
            sent = true;
        } catch (IllegalArgumentException e) {
            sent = false;
        }
        boolean configured;
        try {
            configured = new OtlpEndpoint.Header(name, Secret.of("a")).name().equals(name);
        } catch (RuntimeException e) {
            configured = false;
        }
        assertThat(configured).isEqualTo(sent);
    }
}
