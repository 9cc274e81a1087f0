package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A router whose rules are not known is told of once a listener, where its release is learnt. */
class NewerReleaseTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(CommandJudge.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(logged);
    }

    private static void hello(SessionFixture fixture, int requestId, int wireVersion) {
        fixture.request(requestId, "{hello: 1, $db: 'admin'}");
        fixture.reply(1000 + requestId, requestId, 0, "{ok: 1.0, maxWireVersion: " + wireVersion + "}");
    }

    @Test
    void aReleaseBeyondTheKnownOnesIsWarnedOfOnce() {
        SessionFixture fixture = SessionFixture.connected();
        hello(fixture, 1, 31);
        hello(fixture, 2, 31);
        hello(fixture, 3, 30);
        assertThat(logged.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .isEqualTo(
                                "router release: 9.2 or later (expected: at most 9.0); the rules of 9.0 are applied to it:"
                                        + " listener=127.0.0.1:27100"));
    }

    @Test
    void aKnownReleaseIsNot() {
        hello(SessionFixture.connected(), 1, 29);
        assertThat(logged.list).isEmpty();
    }
}
