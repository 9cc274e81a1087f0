package io.scatterguard.proxy.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Explains in the log what became of X.509 authentication, once a minute at most. Thread-safe. */
public final class CertificateNotice {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateNotice.class);
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private final AtomicLong nextNanos;

    /** {@code nanoTime}: the clock, in nanoseconds. */
    public CertificateNotice(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** The server answered an X.509 authentication at {@code listener}. */
    void answered(boolean succeeded, String listener) {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + MINUTE_NANOS)) {
            return;
        }
        if (succeeded) {
            LOG.warn(
                    "MONGODB-X509 succeeded with the certificate of this proxy, not of the client: every client of this"
                            + " listener can become that user; give the proxy a certificate that is no user's"
                            + " (docs/authentication.md): listener={}",
                    listener);
        } else {
            LOG.warn(
                    "MONGODB-X509 failed: a client's certificate ends where its TLS connection does and never reaches the"
                            + " server through a proxy; use SCRAM, or OIDC, or connect these clients to mongos directly"
                            + " (docs/authentication.md): listener={}",
                    listener);
        }
    }
}
