package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import org.jspecify.annotations.Nullable;

/** Turns judged commands into audit records. Called on event loops: never blocks, never throws. */
public interface Auditor {
    /**
     * Takes from a command, which is borrowed, what its record needs; nothing of its bytes is kept.
     *
     * @param wouldFail what a sharded cluster would refuse about it; null if nothing
     * @return null if this command is not to be recorded
     */
    @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source);

    /** Likewise, where nothing would be refused. */
    default @Nullable PendingRecord begin(CommandView command, Route route, Verdict verdict, AuditSource source) {
        return begin(command, route, null, verdict, source);
    }

    /** Completes the record once the command was answered (or never will be) and hands it to the sinks. */
    void end(PendingRecord pending, Outcome outcome);

    /** Whether who makes records is to pause; never raised unless a sink must not lose any. */
    default AuditPressure pressure() {
        return new AuditPressure();
    }

    /** A record whose command is still in flight. */
    interface PendingRecord {
        /** The hash of the command's shape, if it was made; else null. */
        default @Nullable String shapeHash() {
            return null;
        }

        /** Whether the audit log has part in it: who makes none of its records is not held up by it. */
        default boolean isAudited() {
            return true;
        }
    }
}
