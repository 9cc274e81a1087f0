package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.proxy.audit.Auditor;
import java.util.function.LongSupplier;

/**
 * What all sessions of a listener share.
 *
 * @param listener the listener's bind address, as it stands in records
 * @param server what is configured of the servers
 * @param compression the compressors that can be read
 * @param traits what is configured of messages that are not for the policy
 * @param catalog the metadata, as far as it is loaded
 * @param transactions those of which a statement was refused
 * @param nanoTime the clock for durations, in nanoseconds
 */
public record SessionContext(
        String listener,
        CommandJudge judge,
        Auditor auditor,
        SessionCounters counters,
        CloseLog closeLog,
        SessionLimits limits,
        ByteBufAllocator allocator,
        ServerTraits server,
        MessageCompression compression,
        ListenerTraits traits,
        ListenerCatalog catalog,
        RefusedTransactions transactions,
        LongSupplier nanoTime) {}
