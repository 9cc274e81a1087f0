package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import org.jspecify.annotations.Nullable;

/** Turns judged commands into audit records. Called on event loops: never blocks, never throws. */
public interface Auditor {
    /**
     * Takes from a command, which is borrowed, what its record needs; nothing of its bytes is kept.
     *
     * @return null if this command is not to be recorded
     */
    @Nullable PendingRecord begin(CommandView command, Route route, Verdict verdict, AuditSource source);

    /** Completes the record once the command was answered (or never will be) and hands it to the sinks. */
    void end(PendingRecord pending, Outcome outcome);

    /** A record whose command is still in flight. */
    interface PendingRecord {}
}
