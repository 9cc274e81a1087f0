package io.scatterguard.tests.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class during which a Netty resource was dropped without being released, with the traces of its last uses.
 * Registered for every class by {@code META-INF/services}; a leak that outlives its class is blamed on a later one.
 *
 * <p>Netty reports the same trace once per JVM, so of two classes that lose a buffer in one place only the first fails.
 */
public final class NoLeaks implements AfterAllCallback {
    static {
        // Extensions are created before any test class is initialised, so no detector of another kind exists yet.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingLeakDetectorFactory());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> leaks = LeakReports.collect();
        if (!leaks.isEmpty()) {
            throw new AssertionError(leaks.size() + " leaked in or before " + context.getDisplayName() + ": "
                    + String.join("\n", leaks));
        }
    }
}
