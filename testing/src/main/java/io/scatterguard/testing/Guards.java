package io.scatterguard.testing;

import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/**
 * The proxies of a test run: one for each settings, started when first asked for, closed at the end of the run. One that cannot be
 * started is not tried again: what is wrong with a database or a file costs each class its time else.
 */
final class Guards {
    static final Namespace NAMESPACE = Namespace.create(Guards.class);

    private Guards() {}

    /** @throws ExtensionConfigurationException if it cannot be started; the message says why */
    static Guard shared(ExtensionContext context, Scatterguard annotation) {
        ProxySettings settings = ProxySettings.of(annotation, System::getProperty, System::getenv);
        Store store = context.getRoot().getStore(NAMESPACE);
        // The store's own way to do this has another name in every second release of JUnit.
        synchronized (Guards.class) {
            Object known = store.get(settings);
            if (known == null) {
                known = start(settings);
                if (!(known instanceof Failure failure && failure.mayPass())) {
                    store.put(settings, known);
                }
            }
            if (known instanceof Failure failure) {
                throw failure.exception();
            }
            return (Guard) known;
        }
    }

    /** A {@link Guard}, or the {@link Failure} to have one. */
    private static Object start(ProxySettings settings) {
        try {
            return new Guard(LocalProxy.start(settings));
        } catch (RuntimeException e) {
            return new Failure(e, e.getCause() instanceof InterruptedException);
        }
    }

    /** @param mayPass whether it says nothing of the settings */
    private record Failure(RuntimeException cause, boolean mayPass) {
        /** A new one for each class: what is suppressed in it is the class's. */
        ExtensionConfigurationException exception() {
            return new ExtensionConfigurationException("no proxy for @Scatterguard: " + cause.getMessage(), cause);
        }
    }
}
