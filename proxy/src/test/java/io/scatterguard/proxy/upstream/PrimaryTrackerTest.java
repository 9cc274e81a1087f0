package io.scatterguard.proxy.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.upstream.PrimaryTracker.Standing;
import io.scatterguard.proxy.upstream.Upstream.Binding;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrimaryTrackerTest {
    private static final InetSocketAddress A = InetSocketAddress.createUnresolved("a", 1);
    private static final InetSocketAddress B = InetSocketAddress.createUnresolved("b", 2);

    private final PrimaryTracker tracker = new PrimaryTracker();
    private final List<Boolean> lost = new ArrayList<>();

    private void update(@Nullable InetSocketAddress primary, Map<InetSocketAddress, Standing> standings) {
        tracker.update(primary, server -> standings.getOrDefault(server, Standing.UNKNOWN));
    }

    private void primary(InetSocketAddress primary) {
        update(primary, Map.of(primary, Standing.PRIMARY));
    }

    @Test
    void whoAsksGetsThePrimaryOrWaitsForOne() {
        CompletableFuture<List<InetSocketAddress>> early = tracker.servers();
        assertThat(early).isNotDone();
        primary(A);
        assertThat(early).isCompletedWithValue(List.of(A));
        assertThat(tracker.servers()).isCompletedWithValue(List.of(A));
        primary(B);
        assertThat(tracker.servers()).isCompletedWithValue(List.of(B));
        update(null, Map.of());
        assertThat(tracker.servers()).isNotDone();
    }

    @Test
    void whoGivesUpIsForgotten() {
        CompletableFuture<List<InetSocketAddress>> waiter = tracker.servers();
        assertThat(tracker.waiting()).isOne();
        waiter.completeExceptionally(new TimeoutException());
        assertThat(tracker.waiting()).isZero();
        tracker.servers();
        primary(A);
        assertThat(tracker.waiting()).isZero();
    }

    @Test
    void aConnectionIsLostWhenItsServerIsNoPrimaryAnyMore() {
        primary(A);
        Binding binding = tracker.bind(A, lost::add);
        update(A, Map.of(A, Standing.PRIMARY, B, Standing.OTHER));
        assertThat(lost).isEmpty();
        update(null, Map.of(A, Standing.OTHER));
        assertThat(lost).containsExactly(true);
        binding.released();
        update(B, Map.of(A, Standing.OTHER, B, Standing.PRIMARY));
        assertThat(lost).hasSize(1);
        assertThat(tracker.bindings()).isZero();
    }

    /** A monitor that hears nothing is no reason to cut off who is served, as long as nobody else is the primary. */
    @Test
    void whatIsUnreachableIsLostOnceThereIsAnotherPrimary() {
        primary(A);
        tracker.bind(A, lost::add);
        update(null, Map.of(A, Standing.UNREACHABLE));
        update(null, Map.of());
        assertThat(lost).isEmpty();
        update(B, Map.of(A, Standing.UNREACHABLE, B, Standing.PRIMARY));
        assertThat(lost).containsExactly(false);
        update(B, Map.of(B, Standing.PRIMARY));
        assertThat(lost)
                .as("of what is not known to be gone, the end is waited for")
                .containsExactly(false, true);
    }

    @Test
    void whoBindsTooLateIsToldAtOnce() {
        primary(B);
        tracker.bind(A, lost::add);
        assertThat(lost).containsExactly(true);
        tracker.bind(B, lost::add);
        assertThat(lost).hasSize(1);
    }

    /** Until its monitor hears from it again nobody is sent to it, whatever else changes. */
    @Test
    void aPrimaryThatDeniedItIsDoubted() {
        primary(A);
        Binding binding = tracker.bind(A, lost::add);
        tracker.bind(A, lost::add);
        binding.notPrimary();
        assertThat(lost).as("every connection to it").containsExactly(true, true);
        CompletableFuture<List<InetSocketAddress>> waiter = tracker.servers();
        update(A, Map.of(A, Standing.PRIMARY, B, Standing.OTHER));
        assertThat(waiter).isNotDone();
        tracker.confirmed(B);
        assertThat(waiter).isNotDone();
        tracker.confirmed(A);
        assertThat(waiter).isCompletedWithValue(List.of(A));
    }

    @Test
    void theNextPrimaryIsNotDoubtedForTheLast() {
        primary(A);
        Binding binding = tracker.bind(A, lost::add);
        primary(B);
        binding.notPrimary();
        assertThat(tracker.servers()).isCompletedWithValue(List.of(B));
        assertThat(tracker.primary()).isEqualTo(B);
    }

    /** What a connection hears after it was given up is no news: the server may be the primary again. */
    @Test
    void aLateDenialEndsNoConnectionMadeSince() {
        primary(A);
        Binding former = tracker.bind(A, lost::add);
        update(null, Map.of(A, Standing.OTHER));
        primary(A);
        lost.clear();
        List<Boolean> fresh = new ArrayList<>();
        Binding binding = tracker.bind(A, fresh::add);
        former.notPrimary();
        assertThat(fresh).isEmpty();
        assertThat(tracker.servers()).isCompletedWithValue(List.of(A));
        binding.notPrimary();
        assertThat(fresh).as("one that is in use is believed").containsExactly(true);
        assertThat(tracker.servers()).isNotDone();
    }

    /** Whoever was told by another's denial may deny it as well: a monitor's answer from before may have come between. */
    @Test
    void aSecondDenialIsBelievedAfterAnOldAnswerOfTheMonitor() {
        primary(A);
        Binding one = tracker.bind(A, lost::add);
        Binding other = tracker.bind(A, lost::add);
        one.notPrimary();
        tracker.confirmed(A);
        assertThat(tracker.servers()).isCompletedWithValue(List.of(A));
        other.notPrimary();
        assertThat(tracker.servers()).isNotDone();
    }

    /** Whoever binds between two step-downs is told of the second, and who was told of the first is not needed for it. */
    @Test
    void twoStepDownsInQuickSuccessionAndAPrimaryThatFlaps() {
        primary(A);
        tracker.bind(A, lost::add);
        update(B, Map.of(A, Standing.OTHER, B, Standing.PRIMARY));
        List<Boolean> second = new ArrayList<>();
        tracker.bind(B, second::add);
        assertThat(second).isEmpty();
        update(A, Map.of(A, Standing.PRIMARY, B, Standing.OTHER));
        assertThat(second).containsExactly(true);
        assertThat(lost).as("one that is the primary again").containsExactly(true);
        List<Boolean> third = new ArrayList<>();
        tracker.bind(A, third::add);
        tracker.bind(B, third::add).released();
        assertThat(third).as("who dialled the one between").containsExactly(true);
        assertThat(tracker.servers()).isCompletedWithValue(List.of(A));
    }

    /** Whoever asks or binds while the primary changes misses nothing. */
    @Test
    void nobodyIsForgottenByAChangeAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 2_000; round++) {
                PrimaryTracker raced = new PrimaryTracker();
                raced.update(A, server -> Standing.PRIMARY);
                CompletableFuture<Boolean> told = new CompletableFuture<>();
                Future<?> binding = threads.submit(() -> raced.bind(A, told::complete));
                Future<?> change = threads.submit(
                        () -> raced.update(B, server -> server.equals(B) ? Standing.PRIMARY : Standing.OTHER));
                binding.get();
                change.get();
                assertThat(told).isCompletedWithValue(true);
                Future<?> gone = threads.submit(() -> raced.update(null, server -> Standing.UNKNOWN));
                CompletableFuture<List<InetSocketAddress>> waiter = raced.servers();
                raced.update(A, server -> Standing.UNKNOWN);
                gone.get();
                raced.update(A, server -> Standing.UNKNOWN);
                assertThat(waiter.get(10, TimeUnit.SECONDS)).hasSize(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
