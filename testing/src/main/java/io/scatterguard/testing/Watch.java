package io.scatterguard.testing;

import io.scatterguard.testing.RunningProxy.Seen;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Whether the proxy in front of a class, or of a single test, could do its work: what passed by it, and what it could not judge. */
final class Watch {
    private static final Namespace NAMESPACE = Namespace.create(Watch.class);

    private final ExtensionContext context;
    private final Guard guard;
    private final String name;

    Watch(ExtensionContext context, Guard guard, String name) {
        this.context = context;
        this.guard = guard;
        this.name = name;
    }

    void begin() {
        context.getStore(NAMESPACE).put(context.getUniqueId(), guard.seen());
    }

    /**
     * Publishes what somebody should know of the guard itself.
     *
     * @param anyTest whether a test of the class, or the test, has run
     * @throws IllegalStateException if findings may be missing
     */
    void end(boolean anyTest) {
        Seen before = context.getStore(NAMESPACE).get(context.getUniqueId(), Seen.class);
        if (before == null) {
            return;
        }
        Seen now = guard.seen();
        if (anyTest && now.routed() == before.routed()) {
            Notices.publish(
                    context, name + ": no command came through the proxy (does the application connect to it?)");
        }
        String without = withoutRule(before.withoutRule(), now.withoutRule());
        if (!without.isEmpty()) {
            Notices.publish(context, name + ": without a sharding rule, and so not judged: " + without);
        }
        if (now.missed() > before.missed()) {
            throw new IllegalStateException(name + ": " + (now.missed() - before.missed())
                    + " commands could not be judged or recorded, so that findings may be missing (see the log)");
        }
    }

    private static String withoutRule(Map<String, Long> before, Map<String, Long> now) {
        Map<String, Long> more = new TreeMap<>();
        now.forEach((namespace, commands) -> {
            long further = commands - before.getOrDefault(namespace, 0L);
            if (further > 0) {
                more.put(namespace, further);
            }
        });
        return more.entrySet().stream()
                .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
