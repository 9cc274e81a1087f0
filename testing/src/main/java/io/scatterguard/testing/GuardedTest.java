package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.testing.Demands.Part;
import java.lang.annotation.Annotation;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test, or a class of tests, as its annotations and its context say: which proxy is in front of it, and what it may do. What is
 * known of it between two callbacks is in its context's store.
 */
final class GuardedTest {
    private static final Namespace NAMESPACE = Namespace.create(GuardedTest.class);

    private final ExtensionContext context;
    private final Scatterguard annotation;

    private GuardedTest(ExtensionContext context, Scatterguard annotation) {
        this.context = context;
        this.annotation = annotation;
    }

    /** By the annotations that are nearest: of the method, else of its class, else of a class around that. */
    static GuardedTest of(ExtensionContext context) {
        return find(context)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        name(context) + ": no @Scatterguard on it (expected: on the test or its class)"));
    }

    /** Likewise; empty for a class of which single tests alone are in front of a proxy. */
    static Optional<GuardedTest> find(ExtensionContext context) {
        return nearest(context, Scatterguard.class).map(annotation -> new GuardedTest(context, annotation));
    }

    private static <A extends Annotation> Optional<A> nearest(ExtensionContext context, Class<A> type) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            Optional<A> found =
                    at.get().getElement().flatMap(element -> AnnotationSupport.findAnnotation(element, type));
            if (found.isPresent()) {
                return found;
            }
            at = at.get().getParent();
        }
        return Optional.empty();
    }

    /** The class that this is a test of. */
    private GuardedTest ofClass() {
        return new GuardedTest(classContext(context), annotation);
    }

    /**
     * The context of the class, which {@code beforeAll} and {@code afterAll} have; {@code context} itself if that is one. A class
     * that is run several times, by {@code @ParameterizedClass}, has one around those of its invocations.
     */
    static ExtensionContext classContext(ExtensionContext context) {
        ExtensionContext at = context;
        while (true) {
            Optional<ExtensionContext> parent = at.getParent();
            if (parent.isEmpty() || !(at.getTestMethod().isPresent() || isInvocation(at, parent.get()))) {
                return at;
            }
            at = parent.get();
        }
    }

    private static boolean isInvocation(ExtensionContext context, ExtensionContext parent) {
        return context.getTestClass().isPresent() && context.getTestClass().equals(parent.getTestClass());
    }

    /** For people: {@code ShopTest.byStatus}, and which invocation of it and of its class. */
    String name() {
        return name(context);
    }

    private static String name(ExtensionContext context) {
        String type = context.getTestClass().map(GuardedTest::nested).orElse(context.getDisplayName());
        return context.getTestMethod()
                .map(method -> {
                    String shown = context.getDisplayName();
                    boolean plain = shown.startsWith(method.getName() + "(");
                    return type + invocation(context) + "." + method.getName() + (plain ? "" : " " + shown);
                })
                .orElse(type);
    }

    /** Which of its class's; empty if that is run once. */
    private static String invocation(ExtensionContext test) {
        Optional<ExtensionContext> at = test.getParent();
        while (at.isPresent() && at.get().getTestMethod().isPresent()) {
            at = at.get().getParent();
        }
        return at.filter(own ->
                        own.getParent().map(parent -> isInvocation(own, parent)).orElse(false))
                .map(own -> " " + own.getDisplayName())
                .orElse("");
    }

    private static String nested(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return (outer == null ? "" : nested(outer) + ".") + type.getSimpleName();
    }

    /** Whether the class knows nothing of the proxy, so that nobody else can answer for what came before. */
    boolean isAlone() {
        return nearest(classContext(context), Scatterguard.class).isEmpty();
    }

    Guard guard() {
        return Guards.shared(context, annotation);
    }

    ScatterguardProxy proxy() {
        return new ScatterguardProxy(guard(), annotation.database());
    }

    /** Whether the proxy did its work for it. */
    Watch watch() {
        return new Watch(context, guard(), name());
    }

    /** Makes the proxy the current one until the context ends; does nothing the second time. */
    void activate() {
        Store store = store();
        if (store.get(key("activation")) == null) {
            store.put(key("activation"), Activation.of(proxy(), annotation.property()));
        }
    }

    /** The proxy is in front of the class. */
    void began() {
        store().put(key("begun"), true);
    }

    /** Whether it is; without that, there is nothing to ask it. */
    boolean hasBegun() {
        return store().get(key("begun")) != null;
    }

    /** Keeps what was recorded before it, which is the class's unless it {@link #isAlone}. */
    void began(Findings before) {
        Part part = new Part("before " + name() + ", while no test ran", before);
        store().put(key("before"), part);
        if (!isAlone()) {
            GuardedTest all = ofClass();
            all.store().put(all.key("tests"), true);
            all.outside(part);
        }
    }

    /** Whether a test of this class has begun. */
    boolean hadTests() {
        return store().get(key("tests")) != null;
    }

    /** What was recorded before it; null if it did not begin. */
    @Nullable Part before() {
        return store().get(key("before"), Part.class);
    }

    /** Keeps what was recorded while no test of the class ran. */
    void outside(Part part) {
        if (part.findings().all().isEmpty()) {
            return;
        }
        List<Part> parts = new ArrayList<>(outside());
        parts.add(part);
        store().put(key("outside"), List.copyOf(parts));
    }

    @SuppressWarnings("unchecked")
    List<Part> outside() {
        @Nullable List<Part> parts = (List<Part>) store().get(key("outside"));
        return parts == null ? List.of() : parts;
    }

    /** Fails if {@code parts} hold what it may not do, and publishes what else they hold. */
    void judge(List<Part> parts) {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Demands demands = new Demands(annotation.failOn(), allowance());
        demands.notice(parts, today).ifPresent(text -> context.publishReportEntry("scatterguard", text));
        demands.failure(name(), parts, today).ifPresent(failure -> {
            throw failure;
        });
    }

    private @Nullable Allowance allowance() {
        try {
            return nearest(context, AllowBroadcast.class).map(Allowance::of).orElse(null);
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(name() + ": " + e.getMessage(), e);
        }
    }

    /** What is put there is seen from contexts below as well: keys tell whose it is. */
    private String key(String what) {
        return what + " " + context.getUniqueId();
    }

    private Store store() {
        return context.getStore(NAMESPACE);
    }
}
