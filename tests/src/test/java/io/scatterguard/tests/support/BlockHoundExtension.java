package io.scatterguard.tests.support;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test during which an event loop of the proxy made a blocking call ({@link BlockingCalls}). Put it on a class by
 * {@code @ExtendWith}; it stays installed in the JVM, but only such classes fail.
 */
public final class BlockHoundExtension implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        BlockingCalls.watch();
        BlockingCalls.drain(); // What classes before this one did is not this one's fault.
    }

    @Override
    public void afterEach(ExtensionContext context) {
        failOnCalls();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        failOnCalls(); // Event loops that a class shares may end after its last test.
    }

    private static void failOnCalls() {
        List<AssertionError> calls = BlockingCalls.drain();
        if (!calls.isEmpty()) {
            AssertionError error = new AssertionError(calls.size() + " blocking calls on event loops", calls.get(0));
            calls.stream().skip(1).forEach(error::addSuppressed);
            throw error;
        }
    }
}
