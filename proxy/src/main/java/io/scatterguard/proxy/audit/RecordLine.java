package io.scatterguard.proxy.audit;

import java.util.concurrent.atomic.AtomicInteger;

/** The line of one record on its way to all sinks, which tell it one by one whether they took it. */
final class RecordLine implements LaneSlot {
    private final long seq;
    private final byte[] bytes;
    private final AuditLedger ledger;
    private final AtomicInteger open;
    private volatile boolean lost;

    /** For {@code sinks} sinks; with none the record is where it belongs at once. */
    RecordLine(long seq, byte[] bytes, int sinks, AuditLedger ledger) {
        this.seq = seq;
        this.bytes = bytes;
        this.ledger = ledger;
        this.open = new AtomicInteger(sinks);
        if (sinks == 0) {
            ledger.settled(true);
        }
    }

    /** Borrowed by sinks, which do not change it. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public Gap covers() {
        return new Gap(seq, seq);
    }

    @Override
    public void settled(boolean written) {
        if (!written) {
            lost = true;
        }
        if (open.decrementAndGet() == 0) {
            ledger.settled(!lost);
        }
    }
}
