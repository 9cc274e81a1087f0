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

    private Activation(@Nullable ScatterguardProxy formerProxy, String property, @Nullable String formerValue) {
        this.formerProxy = formerProxy;
        this.property = property;
        this.formerValue = formerValue;
    }

    /** @param property empty for none */
    static Activation of(ScatterguardProxy proxy, String property) {
        Activation activation = new Activation(
                ScatterguardProxy.current, property, property.isEmpty() ? null : System.getProperty(property));
        ScatterguardProxy.current = proxy;
        if (!property.isEmpty()) {
            System.setProperty(property, proxy.uri());
        }
        return activation;
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
