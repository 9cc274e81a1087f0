package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to an OpenTelemetry collector, over HTTP in the JSON encoding. While the collector is away or busy the batch
 * is sent again and again, ever less often, and further records wait in the sink's queue; what the collector refuses for
 * good is lost.
 */
public final class OtlpSink implements AuditSink {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpSink.class);

    /** What the protocol names as worth another attempt: too many requests, bad gateway, unavailable, gateway time-out. */
    private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);

    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Waits between two attempts. */
    @FunctionalInterface
    interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * Where records go, and as whose.
     *
     * @param headers sent with every request; their values are secrets
     * @param serviceName the resource's {@code service.name}
     * @param instance its {@code service.instance.id}
     */
    public record Target(URI endpoint, Map<String, String> headers, String serviceName, String instance) {
        public Target {
            headers = Map.copyOf(headers);
        }

        /** Without what may be secret. */
        @Override
        public String toString() {
            return endpoint.getHost() + ":" + endpoint.getPort();
        }
    }

    private final Target target;
    private final OtlpLogs logs;
    private final WhenFull whenFull;
    private final Clock clock;
    private final Pause pause;
    private final Duration timeout;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER) // the headers are for this endpoint only
            .build();

    public OtlpSink(Target target, WhenFull whenFull, Clock clock) {
        this(target, whenFull, clock, time -> Thread.sleep(time.toMillis()), TIMEOUT);
    }

    /** {@code timeout}: how long one attempt may take, to the end of the answer. */
    OtlpSink(Target target, WhenFull whenFull, Clock clock, Pause pause, Duration timeout) {
        this.target = target;
        this.logs = new OtlpLogs(target.serviceName(), target.instance());
        this.whenFull = whenFull;
        this.clock = clock;
        this.pause = pause;
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return target.toString();
    }

    @Override
    public String type() {
        return "otlp";
    }

    @Override
    public String destination() {
        return "otlp " + target.endpoint();
    }

    @Override
    public WhenFull whenFull() {
        return whenFull;
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.endpoint())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(logs.request(lines, clock.instant())));
        target.headers().forEach(request::header);
        try {
            send(request.build());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while records wait for the collector");
        }
    }

    private void send(HttpRequest request) throws IOException, InterruptedException {
        Duration next = FIRST_PAUSE;
        boolean away = false;
        for (String problem = attempt(request); problem != null; problem = attempt(request)) {
            if (!away) {
                away = true;
                LOG.warn("audit collector does not take records, trying again sink={} error={}", name(), problem);
            }
            pause.sleep(next);
            next = next.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next.multipliedBy(2);
        }
        if (away) {
            LOG.info("audit collector takes records again sink={}", name());
        }
    }

    /**
     * Sends it once.
     *
     * @return what is wrong for now; null if it was taken
     * @throws IOException if the collector will never take it
     */
    private @Nullable String attempt(HttpRequest request) throws IOException, InterruptedException {
        int status;
        // The request's own timeout ends with the headers of the answer; a peer may be lost behind them.
        CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            status = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause());
        } catch (TimeoutException e) {
            return "no answer within " + timeout.toMillis() + " ms";
        } finally {
            answer.cancel(true);
        }
        if (status / 100 == 2) {
            return null;
        }
        if (RETRYABLE.contains(status)) {
            return "HTTP status " + status;
        }
        throw new IOException("HTTP status " + status + " (expected: 2xx; is the endpoint right, and the headers?)");
    }

    /** What was written is with the collector. */
    @Override
    public void flush() {}

    @Override
    public void close() {}
}
