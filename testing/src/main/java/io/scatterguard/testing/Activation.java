package io.scatterguard.testing;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** While a class or a test runs: its proxy is the current one, and a system property holds its address. */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes nothing else at the end of a context
final class Activation implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private final @Nullable ScatterguardProxy formerProxy;
    private final String property;
    private final @Nullable String formerValue;
    private boolean closed;

    /** @param property empty for none */
    Activation(ScatterguardProxy proxy, String property) {
        this.property = property;
        this.formerProxy = ScatterguardProxy.current;
        this.formerValue = property.isEmpty() ? null : System.getProperty(property);
        ScatterguardProxy.current = proxy;
        if (!property.isEmpty()) {
            System.setProperty(property, proxy.uri());
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ScatterguardProxy.current = formerProxy;
        if (formerValue != null) {
            System.setProperty(property, formerValue);
        } else if (!property.isEmpty()) {
            System.clearProperty(property);
        }
    }
}
