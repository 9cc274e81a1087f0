package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.metrics.ProxyMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** {@code /metrics}: what the proxy measures, in a format of Prometheus. */
public final class MetricsEndpoint implements Endpoint {
    private final ProxyMetrics metrics;

    public MetricsEndpoint(ProxyMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public String path() {
        return "/metrics";
    }

    @Override
    public Answer answer(Question question) {
        String accept = question.header("Accept");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            metrics.write(out, accept);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Answer(Answer.OK, ProxyMetrics.contentType(accept), out.toString(StandardCharsets.UTF_8));
    }
}
