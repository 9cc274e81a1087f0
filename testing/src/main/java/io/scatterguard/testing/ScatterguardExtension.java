package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.testing.Demands.Part;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/** What {@link Scatterguard} registers: starts proxies, and asks each after a test what it has recorded. */
final class ScatterguardExtension
        implements TestInstancePreConstructCallback,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {
    /** Before the first instance: with one for all tests that is before {@code beforeAll}, and it may be given the address. */
    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        GuardedTest.find(GuardedTest.classContext(context)).ifPresent(GuardedTest::activate);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        GuardedTest all = GuardedTest.of(context);
        all.activate();
        all.watch().begin();
        all.began();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        GuardedTest test = GuardedTest.of(context);
        test.activate();
        Findings before = test.guard().begin(test.name());
        test.began(before);
        if (test.isAlone()) {
            test.watch().begin();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        GuardedTest test = GuardedTest.of(context);
        Part before = test.before();
        if (before == null) {
            return;
        }
        Part during = new Part("", test.guard().end());
        if (test.isAlone()) {
            Steps.all(
                    () -> test.judge(List.of(before, during)),
                    () -> test.watch().end(true));
        } else {
            test.judge(List.of(during));
        }
    }

    /** Whatever of it fails, nothing that was found is lost. */
    @Override
    public void afterAll(ExtensionContext context) {
        GuardedTest all = GuardedTest.of(context);
        if (all.hasBegun()) {
            Steps.all(
                    () -> all.outside(new Part(
                            "after the tests of " + all.name(), all.guard().take())),
                    () -> all.judge(all.outside()),
                    () -> all.watch().end(all.hadTests()));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ScatterguardProxy.class
                || (parameter.isAnnotated(ScatterguardUri.class)
                        && parameter.getParameter().getType() == String.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ScatterguardProxy proxy = GuardedTest.of(context).proxy();
        return parameter.isAnnotated(ScatterguardUri.class) ? proxy.uri() : proxy;
    }
}
