package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Findings;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Puts a proxy in front of {@code @Scatterguard(rules = "orders-rules.yaml")} that fails to judge a command all the time. */
public final class FaultyProxy implements BeforeAllCallback {
    @Scatterguard(rules = "orders-rules.yaml")
    private static final class Settings {}

    @Override
    public void beforeAll(ExtensionContext context) {
        ProxySettings settings =
                ProxySettings.of(Settings.class.getAnnotation(Scatterguard.class), System::getProperty, System::getenv);
        context.getRoot().getStore(Guards.NAMESPACE).put(settings, new Guard(new Faulty(LocalProxy.start(settings))));
    }

    private static final class Faulty implements RunningProxy {
        private final RunningProxy proxy;
        private long missed;

        Faulty(RunningProxy proxy) {
            this.proxy = proxy;
        }

        @Override
        public String uri(String database) {
            return proxy.uri(database);
        }

        @Override
        public Findings findings() {
            return proxy.findings();
        }

        @Override
        public Findings take() {
            return proxy.take();
        }

        @Override
        public Seen seen() {
            return new Seen(proxy.seen().routed(), missed++, Map.of());
        }

        @Override
        public void close() {
            proxy.close();
        }
    }
}
