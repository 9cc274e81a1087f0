package io.scatterguard.testing;

import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/** The proxies of a test run: one for each settings, started when first asked for, closed at the end of the run. */
final class Guards {
    private static final Namespace NAMESPACE = Namespace.create(Guards.class);

    private Guards() {}

    /** @throws ExtensionConfigurationException if it cannot be started; the message says why */
    static Guard shared(ExtensionContext context, Scatterguard annotation) {
        ProxySettings settings = ProxySettings.of(annotation, System::getProperty, System::getenv);
        Store store = context.getRoot().getStore(NAMESPACE);
        // The store's own way to do this has another name in every second release of JUnit.
        synchronized (Guards.class) {
            Guard guard = store.get(settings, Guard.class);
            if (guard == null) {
                guard = start(settings);
                store.put(settings, guard);
            }
            return guard;
        }
    }

    private static Guard start(ProxySettings settings) {
        try {
            return new Guard(LocalProxy.start(settings));
        } catch (RuntimeException e) {
            throw new ExtensionConfigurationException("no proxy for @Scatterguard: " + e.getMessage(), e);
        }
    }
}
