package io.scatterguard.testing;

import io.scatterguard.proxy.cli.GuardSetup;
import io.scatterguard.proxy.cli.GuardedProxy;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.BaselineFile;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.reports.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The proxy that {@code scatterguard exec} runs, too. */
final class LocalProxy implements RunningProxy {
    private final GuardedProxy proxy;

    private LocalProxy(GuardedProxy proxy) {
        this.proxy = proxy;
    }

    /** @throws IllegalStateException if it cannot be started; the message says why */
    static LocalProxy start(ProxySettings settings) {
        GuardSetup setup = setup(settings);
        try {
            return new LocalProxy(GuardedProxy.start(setup));
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it started", e);
        }
    }

    private static GuardSetup setup(ProxySettings settings) {
        ProxySettings.Files files = settings.files();
        ProxySettings.Judging judging = settings.judging();
        return GuardSetup.standard()
                .withUpstream(nullIfEmpty(settings.upstream()))
                .withRules(TestFile.find("rules", files.rules()))
                .withConfig(TestFile.find("config", files.config()))
                .withBaseline(baseline(TestFile.find("baseline", files.baseline())))
                .withOnUnknown(
                        CatalogConfig.OnUnknown.valueOf(judging.onUnknown().name()))
                .withMode(judging.enforce() ? PolicyConfig.Mode.ENFORCE : PolicyConfig.Mode.OBSERVE)
                .withRouterVersion(nullIfEmpty(judging.routerVersion()));
    }

    private static List<BaselineEntry> baseline(@Nullable Path file) {
        return file == null ? List.of() : BaselineFile.read(file);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    @Override
    public String uri(String database) {
        return database.isEmpty() ? proxy.uri() : proxy.uri(database);
    }

    @Override
    public Findings findings() {
        return uninterrupted(proxy::findings);
    }

    @Override
    public Findings take() {
        return uninterrupted(proxy::take);
    }

    @Override
    public Seen seen() {
        GuardedProxy.Coverage coverage = uninterrupted(proxy::coverage);
        return new Seen(coverage.routed(), coverage.missed(), coverage.withoutRule());
    }

    @Override
    public void close() {
        proxy.close();
    }

    /**
     * What was recorded belongs to the test that ends, also where that leaves its thread interrupted or is interrupted now: the
     * question is asked to its end, which is bounded, and the thread is interrupted again after it.
     */
    private static <T> T uninterrupted(Callable<T> question) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return question.call();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
