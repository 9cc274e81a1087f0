package io.scatterguard.tests.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Everything that is logged by anybody at any level, exceptions included, until it is closed; nothing is printed meanwhile. */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();
    private final List<Appender<ILoggingEvent>> silenced = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    private CapturedLog() {
        setContext(root.getLoggerContext());
        root.iteratorForAppenders().forEachRemaining(silenced::add);
    }

    public static CapturedLog open() {
        CapturedLog log = new CapturedLog();
        log.takeOver();
        return log;
    }

    private void takeOver() {
        start();
        root.addAppender(this);
        silenced.forEach(root::detachAppender);
        root.setLevel(Level.TRACE);
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        String line = event.getLevel() + " " + event.getLoggerName() + ": " + event.getFormattedMessage()
                + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown));
        synchronized (lines) {
            lines.add(line);
        }
    }

    /** The lines so far. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void close() {
        root.setLevel(level);
        silenced.forEach(root::addAppender);
        root.detachAppender(this);
        stop();
    }
}
