package io.scatterguard.proxy.metrics;

import io.scatterguard.protocol.command.Namespace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces have a label of their own. The first half of the labels goes to the namespaces that come first, so that a
 * small deployment sees each at once; the other half to those that come again and again, so that a flood of names that come
 * once leaves room for what matters. A label once given stays, because a counter that vanishes and comes back misleads. All
 * others are {@code other}. Thread-safe; nobody waits for anybody.
 */
final class TopNamespaces {
    /** The longest name a server takes, in bytes; what is longer is nobody's collection. */
    static final int MAX_CHARS = 255;

    /** How often a namespace must come before it gets a label of the second half. */
    static final int OFTEN = 16;

    /** How many candidates are remembered for each label there is. */
    private static final int CANDIDATES_PER_LABEL = 4;

    private final int limit;
    private final ConcurrentMap<Namespace, String> given = new ConcurrentHashMap<>();
    private final Map<Namespace, Integer> candidates;
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder folded = new LongAdder();
    private volatile boolean full;

    /** {@code limit}: how many labels there are besides {@code other}; from 0 on. */
    TopNamespaces(int limit) {
        this.limit = limit;
        this.full = limit == 0;
        int remembered = CANDIDATES_PER_LABEL * limit;
        // In the order of their last use: what is forgotten first is what has not come for longest.
        this.candidates = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Namespace, Integer> eldest) {
                return size() > remembered;
            }
        };
    }

    /** The label of {@code namespace}, noting that it came once more. */
    String labelOf(Namespace namespace) {
        String label = given.get(namespace);
        if (label == null && !full) {
            label = admitted(namespace);
        }
        if (label == null) {
            folded.increment();
            return BoundedLabels.OTHER;
        }
        return label;
    }

    /** Null where it gets no label now; also where another thread is looking, which costs a candidate one count. */
    private @Nullable String admitted(Namespace namespace) {
        if (namespace.database().length() + namespace.collection().length() >= MAX_CHARS || !lock.tryLock()) {
            return null;
        }
        try {
            String known = given.get(namespace);
            if (known != null || given.size() >= limit) {
                return known;
            }
            boolean early = given.size() < (limit + 1) / 2;
            if (!early && candidates.merge(namespace, 1, Integer::sum) < OFTEN) {
                return null;
            }
            candidates.remove(namespace);
            String label = namespace.fullName();
            given.put(namespace, label);
            full = given.size() >= limit;
            return label;
        } finally {
            lock.unlock();
        }
    }

    /** How often {@code other} stood for a namespace. */
    long folded() {
        return folded.sum();
    }

    /** How many candidates are remembered. */
    int candidates() {
        lock.lock();
        try {
            return candidates.size();
        } finally {
            lock.unlock();
        }
    }
}
