package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ExpiryNoticesTest {
    private static final String SOON = "exemption about to expire id=backfill owner=\"orders-team\" until=2026-12-31";
    private static final String OVER =
            "exemption expired, no longer applies id=backfill owner=\"orders-team\" until=2026-12-31";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ExpiryNotices.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final ScatterguardConfig config = ConfigReader.read("""
            listeners: [ { upstream: { hosts: [a] } } ]
            policy:
              exemptions:
                - { id: backfill, owner: orders-team, until: 2026-12-31 }
                - { id: for-ever }
            """, Map.of());
    private final TestClock clock = new TestClock();
    private final ExpiryNotices notices =
            new ExpiryNotices(new LivePolicy(config, UnaryOperator.identity())::current, clock);

    /** One that goes when it is told to. */
    private static final class TestClock extends Clock {
        private Instant now = Instant.parse("2026-12-16T12:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    private List<String> lines() {
        List<String> lines =
                logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        logged.list.clear();
        return lines;
    }

    private List<String> at(String now) {
        clock.now = Instant.parse(now);
        notices.look();
        return lines();
    }

    @Test
    void itIsSaidFourteenDaysAheadOnceADay() {
        assertThat(at("2026-12-16T23:59:59Z")).isEmpty();
        assertThat(at("2026-12-17T00:00:00Z")).containsExactly(SOON);
        assertThat(at("2026-12-17T23:59:59Z")).isEmpty();
        assertThat(at("2026-12-18T00:00:30Z")).containsExactly(SOON);
        assertThat(at("2026-12-31T23:59:59Z")).containsExactly(SOON);
        assertThat(at("2027-01-01T00:00:00Z")).containsExactly(OVER);
    }

    @Test
    void itIsSaidAfterEveryEdit() {
        assertThat(at("2026-12-20T10:00:00Z")).containsExactly(SOON);
        Runnable change = notices.prepare(config);
        assertThat(lines()).as("not before the edit counts").isEmpty();
        change.run();
        assertThat(lines()).containsExactly(SOON);
        assertThat(at("2026-12-20T11:00:00Z")).isEmpty();
    }

    @Test
    void itIsSaidAtTheStart() {
        clock.now = clock.now.plus(Duration.ofDays(2));
        notices.start();
        notices.close();
        assertThat(lines()).containsExactly(SOON);
    }
}
