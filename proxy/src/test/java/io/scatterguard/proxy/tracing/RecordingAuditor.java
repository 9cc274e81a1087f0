package io.scatterguard.proxy.tracing;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditPressure;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An auditor that remembers what it was told. */
final class RecordingAuditor implements Auditor {
    final List<PendingRecord> ended = new ArrayList<>();
    boolean recording;
    int begun;
    private final AuditPressure pressure = new AuditPressure();

    record Made(String shapeHash) implements PendingRecord {}

    @Override
    public @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source) {
        begun++;
        return recording ? new Made("b877d4f5f43a820d") : null;
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        ended.add(pending);
    }

    @Override
    public AuditPressure pressure() {
        return pressure;
    }
}
