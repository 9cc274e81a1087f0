package io.scatterguard.proxy.catalog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The snapshot that is served and how refreshing is going: what each reading leaves behind for those who do not read.
 * Thread-safe; looking at either waits for nothing.
 */
final class CatalogPublication {
    /** As the driver writes one, whatever is in its names. */
    private static final Pattern CREDENTIAL =
            Pattern.compile("MongoCredential\\{.*?mechanismProperties=<hidden>}", Pattern.DOTALL);

    private final CatalogLoader loader;
    private final UnaryOperator<CatalogSnapshot> overlay;
    private final Clock clock;
    private final RefreshLog log = new RefreshLog();
    private CatalogSnapshot cluster = CatalogSnapshot.empty();
    private volatile CatalogSnapshot current;
    private volatile RefreshStatus status = RefreshStatus.initial();

    /** @param overlay is put over every snapshot before it is published */
    CatalogPublication(CatalogLoader loader, UnaryOperator<CatalogSnapshot> overlay, Clock clock) {
        this.loader = loader;
        this.overlay = overlay;
        this.clock = clock;
        this.current = overlay.apply(cluster);
    }

    CatalogSnapshot current() {
        return current;
    }

    RefreshStatus status() {
        return status.with(loader.counters());
    }

    /** How long ago the present snapshot was loaded; from 1970 on before there is one. */
    Duration age(Instant now) {
        Duration age = Duration.between(current.loadedAt(), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Publishes what is known now, if anything has changed. What changes while another thread does so, this one publishes. */
    synchronized void publish() {
        CatalogLoad load = loader.takeChanged();
        if (load != null) {
            cluster = load.snapshot();
            current = overlay.apply(cluster);
            status = status.afterPublication(load);
            log.published(load.problems());
        }
    }

    /** Puts the overlay, which has changed, over what is known. */
    synchronized void overlayChanged() {
        current = overlay.apply(cluster);
    }

    /** A single collection could not be looked at. */
    synchronized void lookFailed() {
        status = status.afterFailedLook();
    }

    synchronized void refreshed() {
        RefreshStatus before = status;
        status = before.afterSuccess();
        log.succeeded(before, status, current);
    }

    synchronized void refreshFailed(Throwable failure) {
        status = status.afterFailure(said(failure));
        log.failed(status, current, age(clock.instant()));
    }

    /** What the driver says of a login has the user's name in it, which is nobody's business who asks for the status. */
    private static String said(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return CREDENTIAL.matcher(message).replaceAll("MongoCredential{<hidden>}");
    }
}
