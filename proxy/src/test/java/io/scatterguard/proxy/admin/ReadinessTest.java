package io.scatterguard.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.admin.ReadyChecks.Phase;
import io.scatterguard.proxy.admin.ReadyEndpoint.Cause;
import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final AtomicLong nanos = new AtomicLong();

    private static Answer ask(ReadyEndpoint endpoint) {
        return endpoint.answer(new GuardTest.FakeQuestion(Map.of(), Map.of()));
    }

    private static String text(Answer answer) {
        return answer.body();
    }

    @Test
    void whatDoesNotBlockIsShownAndTheProxyIsReady() {
        Answer answer = ask(new ReadyEndpoint(List.of(() -> List.of(Cause.notice("stale")))));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer)).isEqualTo("{\"ready\":true,\"causes\":[{\"cause\":\"stale\",\"blocking\":false}]}");
    }

    @Test
    void oneCauseThatBlocksIsEnough() {
        Answer answer = ask(new ReadyEndpoint(
                List.of(() -> List.of(Cause.notice("stale")), () -> List.of(new Cause("x", true, "127.0.0.1:1")))));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(text(answer))
                .startsWith("{\"ready\":false,")
                .contains("{\"cause\":\"x\",\"blocking\":true,\"listener\":\"127.0.0.1:1\"}");
    }

    @Test
    void onlyARunningProxyIsReady() {
        AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);
        ReadyEndpoint.Check check = ReadyChecks.phase(phase::get);

        assertThat(check.causes()).containsExactly(Cause.blocking("starting"));
        phase.set(Phase.RUNNING);
        assertThat(check.causes()).isEmpty();
        phase.set(Phase.DRAINING);
        assertThat(check.causes()).containsExactly(Cause.blocking("draining"));
    }

    @Test
    void oneHostThatAnswersIsEnoughAndTheAnswerIsKeptForAWhile() throws IOException {
        int gone;
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        try (ServerSocket closed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            gone = closed.getLocalPort();
        }
        UpstreamCheck check = new UpstreamCheck(
                "l",
                List.of(new HostAndPort("127.0.0.1", gone), new HostAndPort("127.0.0.1", server.getLocalPort())),
                nanos::get);

        assertThat(check.causes()).isEmpty();
        server.close();
        assertThat(check.causes()).as("kept").isEmpty();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
        await().untilAsserted(
                        () -> assertThat(check.causes()).containsExactly(new Cause("upstreamUnreachable", true, "l")));
    }

    @Test
    void aNameThatIsNoneIsUnreachable() {
        UpstreamCheck check =
                new UpstreamCheck("l", List.of(new HostAndPort("no-such-host.invalid", 27_017)), nanos::get);

        assertThat(check.causes()).hasSize(1);
    }

    /** Looking up a name may block for minutes: nobody who asks does. */
    @Test
    void aNameServerThatHangsHoldsNobodyUp() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicInteger lookups = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            UpstreamCheck check = new UpstreamCheck(
                    "l",
                    List.of(new HostAndPort("db.example.org", 27_017)),
                    host -> {
                        lookups.incrementAndGet();
                        awaitQuietly(hanging);
                        return (InetSocketAddress) server.getLocalSocketAddress();
                    },
                    nanos::get);
            for (int i = 0; i < 3; i++) {
                assertThat(check.causes()).as("not known yet").hasSize(1);
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
            }
            assertThat(lookups).as("one try at a time").hasValue(1);
            hanging.countDown();
            await().untilAsserted(() -> assertThat(check.causes()).isEmpty());
        }
    }

    @Test
    void aTryThatDoesNotEndIsAFailureInTheEnd() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicInteger lookups = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            UpstreamCheck check = new UpstreamCheck(
                    "l",
                    List.of(new HostAndPort("db.example.org", 27_017)),
                    host -> {
                        if (lookups.incrementAndGet() == 2) {
                            awaitQuietly(hanging);
                        }
                        return (InetSocketAddress) server.getLocalSocketAddress();
                    },
                    nanos::get);
            assertThat(check.causes()).isEmpty();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
            assertThat(check.causes()).as("what was found before").isEmpty();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
            assertThat(check.causes()).hasSize(1);
            hanging.countDown();
            await().untilAsserted(() -> assertThat(check.causes()).isEmpty());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
