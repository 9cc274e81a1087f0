package io.scatterguard.proxy.session;

/**
 * A fault of our own as it may be logged: its type, where it happened and what caused it, without messages. A message may
 * quote what was being read (a {@code NumberFormatException} does), and no value of a command belongs in a log.
 */
public final class ValueFreeFault extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_CAUSES = 5;

    private ValueFreeFault(Throwable fault, int causesLeft) {
        super(
                fault.getClass().getName(),
                fault.getCause() == null || causesLeft == 0
                        ? null
                        : new ValueFreeFault(fault.getCause(), causesLeft - 1),
                false,
                true);
        setStackTrace(fault.getStackTrace());
    }

    public static ValueFreeFault of(Throwable fault) {
        return new ValueFreeFault(fault, MAX_CAUSES);
    }
}
