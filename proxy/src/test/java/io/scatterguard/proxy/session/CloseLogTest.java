package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class CloseLogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(CloseLog.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private long nanos = Long.MAX_VALUE - 10;
    private final CloseLog log = new CloseLog(() -> nanos);

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    @Test
    void theFirstIsSaidAtOnceAndTheOthersOnceASecondWithTheirNumber() {
        for (int i = 0; i < 1_000; i++) {
            log.note(CloseCause.TOO_MANY_CONNECTIONS, "10.0.0.1:" + i);
        }
        nanos += TimeUnit.SECONDS.toNanos(1); // The clock may overflow.
        log.note(CloseCause.TOO_MANY_CONNECTIONS, "10.0.0.1:2000");
        log.note(CloseCause.TOO_MANY_CONNECTIONS, "10.0.0.1:2001");
        assertThat(lines())
                .containsExactly(
                        "connections closed: cause=tooManyConnections count=1 lastClient=10.0.0.1:0"
                                + " see=limits.maxConnections",
                        "connections closed: cause=tooManyConnections count=1000 lastClient=10.0.0.1:2000"
                                + " see=limits.maxConnections");
    }

    @Test
    void eachCauseHasItsOwnLine() {
        log.note(CloseCause.IDLE_TIMEOUT, "a");
        log.note(CloseCause.CONNECTION_RATE, "b");
        assertThat(lines()).hasSize(2);
    }

    @Test
    void whatIsNoLimitIsNotSaid() {
        log.note(CloseCause.CLIENT_CLOSED, "a");
        log.note(CloseCause.SERVER_CLOSED, "a");
        assertThat(lines()).isEmpty();
    }

    @Test
    void anErrorIsSaidOnceASecondForEachCause() {
        for (int i = 0; i < 1_000; i++) {
            log.explain(Level.WARN, CloseCause.CLIENT_PROTOCOL_ERROR, "10.0.0.1:" + i, "messageLength: 5");
        }
        log.explain(Level.WARN, CloseCause.CONNECT_FAILED, "10.0.0.2:1", "refused");
        nanos += TimeUnit.SECONDS.toNanos(1);
        log.explain(Level.WARN, CloseCause.CLIENT_PROTOCOL_ERROR, "10.0.0.3:1", "messageLength: 6");
        assertThat(lines())
                .containsExactly(
                        "connection closed: cause=clientProtocolError client=10.0.0.1:0 error=messageLength: 5 count=1",
                        "connection closed: cause=connectFailed client=10.0.0.2:1 error=refused count=1",
                        "connection closed: cause=clientProtocolError client=10.0.0.3:1 error=messageLength: 6 count=1000");
    }

    @Test
    void whereSomethingCanBeDoneTheLineSaysWhat() {
        log.explain(Level.WARN, CloseCause.PLAINTEXT_ON_TLS_PORT, "10.0.0.1:1", "not TLS");
        assertThat(lines())
                .containsExactly("connection closed: cause=plaintextOnTlsPort client=10.0.0.1:1 error=not TLS count=1"
                        + " advice=\"this listener speaks TLS: tls=true belongs into the client's connection string\"");
    }

    private List<String> lines() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
