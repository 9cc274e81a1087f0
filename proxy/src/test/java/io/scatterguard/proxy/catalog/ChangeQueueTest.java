package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ChangeQueueTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final Namespace OTHER = Namespace.parse("shop.other");

    private final Deque<Runnable> timer = new ArrayDeque<>();
    private final List<Set<Namespace>> read = new ArrayList<>();
    private Consumer<Set<Namespace>> reading = names -> {};
    private final ChangeQueue queue = new ChangeQueue((task, delay) -> timer.add(task), names -> {
        read.add(Set.copyOf(names));
        reading.accept(names);
    });

    private void pass() {
        timer.remove().run();
    }

    @Test
    void whatComesTogetherIsReadOnce() {
        queue.add(ORDERS);
        queue.add(OTHER);
        queue.add(ORDERS);
        pass();

        assertThat(read).containsExactly(Set.of(ORDERS, OTHER));
        assertThat(timer).isEmpty();
    }

    @Test
    void whatComesDuringAReadingIsReadAfterIt() {
        reading = names -> {
            reading = more -> {};
            queue.add(ORDERS);
            queue.add(OTHER);
            assertThat(timer).as("two readings at a time").isEmpty();
        };
        queue.add(ORDERS);
        pass();
        assertThat(read).hasSize(1);

        pass();

        assertThat(read).containsExactly(Set.of(ORDERS), Set.of(ORDERS, OTHER));
        assertThat(timer).isEmpty();
    }

    @Test
    void aReadingThatFailsDoesNotEndIt() {
        reading = names -> {
            queue.add(OTHER);
            throw new IllegalStateException("no server");
        };
        queue.add(ORDERS);
        assertThat(catchThrowable(this::pass)).hasMessage("no server");
        reading = names -> {};

        pass();
        queue.add(ORDERS);
        pass();

        assertThat(read).containsExactly(Set.of(ORDERS), Set.of(OTHER), Set.of(ORDERS));
    }

    @Test
    void tooManyNamesAreEverything() {
        for (int i = 0; i < 10_000; i++) {
            queue.add(new Namespace("db" + i, "c"));
        }
        pass();

        assertThat(read).containsExactly(Set.of());
    }

    @Test
    void aWholeDatabaseCoversItsCollections() {
        queue.add(ORDERS);
        queue.add(new Namespace("shop", ""));
        queue.add(Namespace.parse("crm.people"));
        pass();

        assertThat(read).containsExactly(Set.of(new Namespace("shop", ""), Namespace.parse("crm.people")));
    }
}
