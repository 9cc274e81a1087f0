package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Collects what is said to have changed for a moment, so that what comes together is read once. One reading follows the
 * other, so that an older answer never replaces a newer one. Thread-safe.
 */
final class ChangeQueue {
    /** How long it collects: about as long as the statements of one administrative script take. */
    static final Duration DELAY = Duration.ofMillis(100);

    /** Beyond so many names everything is read. */
    static final int MAX_NAMES = 100;

    private static final Namespace EVERYTHING = new Namespace("", "");

    private final BiConsumer<Runnable, Duration> timer;
    private final Consumer<Set<Namespace>> reader;
    private Set<Namespace> waiting = new LinkedHashSet<>();
    private boolean reading;

    /**
     * @param timer runs something after a time
     * @param reader takes what has changed; the empty set stands for everything
     */
    ChangeQueue(BiConsumer<Runnable, Duration> timer, Consumer<Set<Namespace>> reader) {
        this.timer = timer;
        this.reader = reader;
    }

    /** @param changed without a collection's name the whole database, without both everything */
    void add(Namespace changed) {
        synchronized (this) {
            boolean first = waiting.isEmpty();
            boolean more = waiting.size() < MAX_NAMES || waiting.contains(changed);
            waiting.add(more ? changed : EVERYTHING);
            if (!first || reading) {
                return;
            }
        }
        timer.accept(this::flush, DELAY);
    }

    private void flush() {
        Set<Namespace> names;
        synchronized (this) {
            names = waiting;
            waiting = new LinkedHashSet<>();
            reading = true;
        }
        try {
            read(names);
        } finally {
            boolean more;
            synchronized (this) {
                reading = false;
                more = !waiting.isEmpty();
            }
            if (more) {
                timer.accept(this::flush, DELAY);
            }
        }
    }

    private void read(Set<Namespace> names) {
        boolean everything = names.stream().anyMatch(name -> name.database().isEmpty());
        if (everything) {
            reader.accept(Set.of());
            return;
        }
        // A database that is read whole covers its collections.
        names.removeIf(name -> !name.collection().isEmpty() && names.contains(new Namespace(name.database(), "")));
        reader.accept(names);
    }
}
