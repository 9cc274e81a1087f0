package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.session.CloseCause;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A flood of failing clients is a line a second. */
class TlsFailureLogTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10); // The clock may wrap.
    private final TlsFailureLog log = new TlsFailureLog(now::get);

    @Test
    void oneLineASecondOfEachCauseWithTheNumberLeftOut() {
        assertThat(log.due(CloseCause.TLS_HANDSHAKE_FAILED)).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(log.due(CloseCause.TLS_HANDSHAKE_FAILED)).isEqualTo(-1);
        }
        assertThat(log.due(CloseCause.TLS_HANDSHAKE_TIMEOUT))
                .as("another cause")
                .isZero();
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
        assertThat(log.due(CloseCause.TLS_HANDSHAKE_FAILED)).isEqualTo(-1);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(log.due(CloseCause.TLS_HANDSHAKE_FAILED)).isEqualTo(6);
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(log.due(CloseCause.TLS_HANDSHAKE_FAILED)).isZero();
    }
}
