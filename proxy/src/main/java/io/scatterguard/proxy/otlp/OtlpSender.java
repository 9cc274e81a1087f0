package io.scatterguard.proxy.otlp;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts requests to an OpenTelemetry collector, one after another. While the collector is away or busy, {@link #send} sends
 * again and again, ever less often; {@link #attempt} does not. Blocks: for a thread that has nothing else to do.
 */
public final class OtlpSender {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpSender.class);

    /** What the protocol names as worth another attempt: too many requests, bad gateway, unavailable, gateway time-out. */
    private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);

    public static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Waits between two attempts. */
    @FunctionalInterface
    public interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    private final OtlpTarget target;
    private final String content;
    private final Pause pause;
    private final Duration timeout;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER) // the headers are for this endpoint only
            .build();

    /** {@code content}: what is sent, for people who read the log: {@code audit records}. */
    public OtlpSender(OtlpTarget target, String content) {
        this(target, content, time -> Thread.sleep(time.toMillis()));
    }

    /** Likewise, for a test that does not wait. */
    public OtlpSender(OtlpTarget target, String content, Pause pause) {
        this(target, content, pause, TIMEOUT);
    }

    /** {@code timeout}: how long one attempt may take, to the end of the answer. */
    OtlpSender(OtlpTarget target, String content, Pause pause, Duration timeout) {
        this.timeout = timeout;
        this.target = target;
        this.content = content;
        this.pause = pause;
    }

    public OtlpTarget target() {
        return target;
    }

    /**
     * Sends {@code body} until it is taken.
     *
     * @throws IOException if the collector will never take it
     */
    public void send(byte[] body) throws IOException, InterruptedException {
        Duration next = FIRST_PAUSE;
        boolean away = false;
        for (String problem = attempt(body); problem != null; problem = attempt(body)) {
            if (!away) {
                away = true;
                LOG.warn("collector does not take {}, trying again collector={} error={}", content, target, problem);
            }
            pause.sleep(next);
            next = next.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next.multipliedBy(2);
        }
        if (away) {
            LOG.info("collector takes {} again collector={}", content, target);
        }
    }

    /**
     * Sends {@code body} once.
     *
     * @return what is wrong for now; null if it was taken
     * @throws IOException if the collector will never take it
     */
    public @Nullable String attempt(byte[] body) throws IOException, InterruptedException {
        int status;
        // A request's own timeout ends with the headers of the answer; a peer may be lost behind them.
        CompletableFuture<HttpResponse<Void>> answer =
                http.sendAsync(request(body), HttpResponse.BodyHandlers.discarding());
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

    private HttpRequest request(byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.endpoint())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        target.headers().forEach(request::header);
        return request.build();
    }
}
