package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestBudgetTest {
    private final RequestBudget budget = new RequestBudget(100);
    private final List<String> granted = new ArrayList<>();

    @Test
    void isGrantedAtOnceWhereThereIsRoom() {
        Reservation first = reserve("a", 60);
        Reservation second = reserve("b", 40);
        assertThat(first.isGranted()).isTrue();
        assertThat(second.isGranted()).isTrue();
        assertThat(granted).as("announcements").isEmpty();
        assertThat(budget.reservedBytes()).isEqualTo(100);
    }

    @Test
    void waitersAreServedInOrderAndNobodyOvertakes() {
        Reservation first = reserve("a", 60);
        Reservation large = reserve("b", 50);
        Reservation small = reserve("c", 10);
        assertThat(small.isGranted()).as("though it would fit").isFalse();
        assertThat(budget.waiting()).isEqualTo(2);
        first.release();
        assertThat(large.isGranted()).isTrue();
        assertThat(small.isGranted()).isTrue();
        assertThat(granted).containsExactly("b", "c");
    }

    @Test
    void whoGivesUpItsPlaceLetsTheNextOnesThrough() {
        Reservation first = reserve("a", 60);
        Reservation large = reserve("b", 50);
        Reservation small = reserve("c", 10);
        large.release();
        assertThat(granted).containsExactly("c");
        small.release();
        first.release();
        assertThat(budget.reservedBytes()).isZero();
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void isGivenBackOnce() {
        Reservation first = reserve("a", 60);
        first.release();
        first.release();
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void whatNeedsMoreThanThereIsTakesAllOfIt() {
        Reservation small = reserve("a", 1);
        Reservation huge = reserve("b", 1_000);
        assertThat(huge.isGranted()).isFalse();
        small.release();
        assertThat(huge.isGranted()).isTrue();
        assertThat(budget.reservedBytes()).isEqualTo(100);
        huge.release();
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void aWaiterWhoseLoopHasEndedHoldsUpNobody() {
        Reservation first = reserve("a", 100);
        budget.reserve(
                100,
                task -> {
                    throw new RejectedExecutionException();
                },
                () -> granted.add("gone"));
        reserve("c", 100);
        first.release();
        assertThat(granted).containsExactly("c");
    }

    @Test
    void isNeverExceededByManyThreads() throws InterruptedException {
        AtomicLong held = new AtomicLong();
        AtomicLong most = new AtomicLong();
        CountDownLatch done = new CountDownLatch(4 * 2_000);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4 * 2_000; i++) {
            int bytes = 1 + i % 97;
            threads.execute(() -> new Holder(bytes, held, most, done).start(budget, threads));
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        threads.shutdown();
        assertThat(most.get()).isBetween(1L, 100L);
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void ofNothingIsAnError() {
        assertThatThrownBy(() -> new RequestBudget(0)).hasMessage("request budget: 0 (expected: at least 1)");
    }

    private Reservation reserve(String name, long bytes) {
        return budget.reserve(bytes, Runnable::run, () -> granted.add(name));
    }

    /** Reserves, counts what is held by everybody at that time, and gives back. */
    private static final class Holder {
        private final int bytes;
        private final AtomicLong held;
        private final AtomicLong most;
        private final CountDownLatch done;
        private final CountDownLatch reserved = new CountDownLatch(1);
        private Reservation reservation;
        private boolean used;

        Holder(int bytes, AtomicLong held, AtomicLong most, CountDownLatch done) {
            this.bytes = bytes;
            this.held = held;
            this.most = most;
            this.done = done;
        }

        void start(RequestBudget budget, ExecutorService threads) {
            synchronized (this) {
                reservation = budget.reserve(bytes, threads, this::use);
            }
            if (reservation.isGranted()) {
                use();
            }
        }

        private synchronized void use() {
            if (used) {
                return;
            }
            used = true;
            most.accumulateAndGet(held.addAndGet(bytes), Math::max);
            held.addAndGet(-bytes);
            reservation.release();
            reserved.countDown();
            done.countDown();
        }
    }
}
