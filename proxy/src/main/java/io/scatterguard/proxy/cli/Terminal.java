package io.scatterguard.proxy.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has to do with a terminal. */
final class Terminal {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    /** Fields of {@link #STAT} after the name of the program. */
    private static final int PROCESS_GROUP = 2;

    private static final int TERMINAL = 4;
    private static final int FOREGROUND_GROUP = 5;

    private Terminal() {}

    /**
     * Whether this process is among those that a terminal sends SIGINT to when somebody presses Ctrl-C, wherever its streams
     * lead.
     */
    static boolean isInForeground() {
        try {
            String stat = Files.readString(STAT);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return !fields[TERMINAL].equals("0") && fields[FOREGROUND_GROUP].equals(fields[PROCESS_GROUP]);
        } catch (IOException | RuntimeException e) {
            return hasConsole();
        }
    }

    /** Whether somebody reads standard error on a terminal. */
    static boolean isStandardError() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | RuntimeException e) {
            return hasConsole();
        }
    }

    /** From Java 22 on there is a console without a terminal, too, and a method that tells. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean hasConsole() {
        Console console = System.console();
        try {
            return console != null
                    && (Runtime.version().feature() < 22
                            || Boolean.TRUE.equals(
                                    Console.class.getMethod("isTerminal").invoke(console)));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
