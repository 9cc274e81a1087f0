package io.scatterguard.proxy.logs;

/** What a line of a server's log, or a document of its profiler, is. */
public sealed interface LogEntry {
    /** A command, with what is needed to judge it. */
    record Ran(LoggedCommand command) implements LogEntry {}

    /** Something else that servers log. */
    record Other() implements LogEntry {}

    /**
     * A command of which the server recorded too little to judge it.
     *
     * @param why for people, for instance {@code the statements of "update" are not logged}; holds no values of commands
     */
    record Incomplete(String why) implements LogEntry {}

    /**
     * Nothing that a server wrote, or not the whole of it.
     *
     * @param why for people; holds no values of the line
     */
    record Foreign(String why) implements LogEntry {}
}
