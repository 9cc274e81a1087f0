package io.scatterguard.proxy.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Has the log of this process hold its tongue, where its standard error is another program's as well. */
final class QuietLog {
    private static final String LEVEL = "SCATTERGUARD_LOG_LEVEL";

    private QuietLog() {}

    /** Warnings and errors only, unless somebody has asked for a level. */
    static void apply() {
        if (System.getenv(LEVEL) == null && LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
            root.setLevel(Level.WARN);
        }
    }
}
