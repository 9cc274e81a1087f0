package io.scatterguard.proxy.audit;

/** What waits for one sink. */
sealed interface LaneSlot permits RecordLine, Gap {
    /** The {@code seq} of the record, or of the records that are missing. */
    Gap covers();

    /** Tells whether the sink has got it. */
    default void settled(boolean written) {}
}
