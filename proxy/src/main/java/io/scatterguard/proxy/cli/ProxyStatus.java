package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.catalog.CatalogCounters;
import io.scatterguard.proxy.catalog.CatalogReadiness;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RefreshStatus;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.proxy.session.StatusReport;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** What the status command answers at one listener; described in {@code docs/status-command.md}. */
final class ProxyStatus implements StatusReport {
    /** How many problems of the catalog are listed. */
    private static final int MAX_PROBLEMS = 10;

    private final LiveConfig config;
    private final LivePolicy policy;
    private final int listener;
    private final CatalogRefresher catalog;
    private final AuditPipeline audit;
    private final SessionCounters counters;
    private final long startedNanos = System.nanoTime();

    ProxyStatus(
            LiveConfig config,
            LivePolicy policy,
            int listener,
            CatalogRefresher catalog,
            AuditPipeline audit,
            SessionCounters counters) {
        this.config = config;
        this.policy = policy;
        this.listener = listener;
        this.catalog = catalog;
        this.audit = audit;
        this.counters = counters;
    }

    @Override
    public BsonDocument document() {
        Duration uptime = Duration.ofNanos(System.nanoTime() - startedNanos);
        return new BsonDocument("scatterguard", new BsonString(Main.Version.text()))
                .append("cluster", new BsonString(config.started().cluster()))
                .append(
                        "listener",
                        new BsonString(config.started()
                                .listeners()
                                .get(listener)
                                .bind()
                                .toString()))
                .append("uptimeSeconds", new BsonInt64(uptime.toSeconds()))
                .append("mode", new BsonString(policy.mode(listener).text()))
                .append("bypassed", BsonBoolean.valueOf(policy.isBypassed(listener)))
                .append("policyVersion", new BsonInt64(policy.version()))
                .append("configuration", editsDocument())
                .append(
                        "auditValues",
                        new BsonString(config.current().audit().values().text()))
                .append("catalog", catalogDocument())
                .append("counters", counterDocument())
                .append("sinks", sinkDocuments())
                .append("opcodes", opcodeDocument())
                .append("closes", closeDocument());
    }

    private BsonDocument catalogDocument() {
        CatalogSnapshot snapshot = catalog.current();
        RefreshStatus status = catalog.status();
        CatalogReadiness readiness = CatalogReadiness.of(
                snapshot.complete(),
                status,
                catalog.age(Instant.now()),
                config.started().catalog().refresh());
        BsonDocument document = new BsonDocument("ready", BsonBoolean.valueOf(readiness.ready()))
                .append("causes", texts(readiness.causes().stream().map(CatalogReadiness.Cause::text)))
                .append("complete", BsonBoolean.valueOf(snapshot.complete()));
        if (snapshot.complete()) {
            document.append(
                            "ageSeconds",
                            new BsonInt64(catalog.age(Instant.now()).toSeconds()))
                    .append(
                            "shardedCollections",
                            new BsonInt32(snapshot.tables().size()))
                    .append(
                            "trackedCollections",
                            new BsonInt32(snapshot.tracked().size()));
        }
        document.append("declared", declaredDocument());
        String lastError = status.lastError();
        if (lastError != null) {
            document.append("lastError", new BsonString(Redacted.of(lastError)));
        }
        if (!status.problems().isEmpty()) {
            document.append("problemCount", new BsonInt32(status.problems().size()))
                    .append(
                            "problems",
                            texts(status.problems().stream()
                                    .limit(MAX_PROBLEMS)
                                    .map(problem -> Redacted.of(problem.message()))));
        }
        return document.append("failuresInARow", new BsonInt32(status.failuresInARow()))
                .append("reading", readingDocument(status));
    }

    private BsonDocument editsDocument() {
        LiveConfig.Outcome edits = config.edits();
        BsonDocument document = new BsonDocument("applied", new BsonInt64(edits.applied()))
                .append("refused", new BsonInt64(edits.refused()));
        if (edits.error() != null) {
            document.append("error", new BsonString(edits.error()));
        }
        return edits.pending().isEmpty()
                ? document
                : document.append("waitingForStart", texts(edits.pending().stream()));
    }

    private BsonDocument declaredDocument() {
        DeclaredCounts counts = DeclaredCounts.of(config.current().shardingRules());
        return new BsonDocument("collections", new BsonInt32(counts.collections()))
                .append("views", new BsonInt32(counts.views()))
                .append("databases", new BsonInt32(counts.databases()));
    }

    private static BsonDocument readingDocument(RefreshStatus status) {
        CatalogCounters counters = status.counters();
        return new BsonDocument("sweeps", new BsonInt64(status.refreshes()))
                .append("failedSweeps", new BsonInt64(status.failures()))
                .append("failedLooks", new BsonInt64(status.failedLooks()))
                .append("published", new BsonInt64(status.published()))
                .append("queries", new BsonInt64(counters.queries()))
                .append("chunksRead", new BsonInt64(counters.chunksRead()))
                .append("deltas", new BsonInt64(counters.deltas()))
                .append("fullLoads", new BsonInt64(counters.fullLoads()))
                .append("rejected", new BsonInt64(counters.rejected()));
    }

    private static BsonArray texts(Stream<String> texts) {
        return new BsonArray(texts.map(BsonString::new).toList());
    }

    private BsonDocument counterDocument() {
        return new BsonDocument("openConnections", new BsonInt32(counters.openConnections()))
                .append("acceptedConnections", new BsonInt64(counters.acceptedConnections()))
                .append("forwarded", new BsonInt64(counters.forwardedRequests()))
                .append("refused", new BsonInt64(counters.refusedCommands()))
                .append("wouldRefuse", new BsonInt64(counters.wouldRefuseCommands()))
                .append("wouldFail", new BsonInt64(counters.wouldFailCommands()))
                .append("turnedAway", new BsonInt64(counters.turnedAwayCommands()))
                .append("metadataWaits", new BsonInt64(counters.metadataWaits()))
                .append("metadataMisses", new BsonInt64(counters.metadataMisses()))
                .append("internalErrors", new BsonInt64(counters.internalErrorCount()))
                .append("auditRecorded", new BsonInt64(audit.recorded()))
                .append("auditDropped", new BsonInt64(audit.dropped()))
                .append("auditSinkErrors", new BsonInt64(audit.sinkErrors()));
    }

    private BsonArray sinkDocuments() {
        return new BsonArray(audit.sinks().stream()
                .map(sink -> new BsonDocument("type", new BsonString(sink.type()))
                        .append("written", new BsonInt64(sink.written()))
                        .append("dropped", new BsonInt64(sink.dropped()))
                        .append("errors", new BsonInt64(sink.errors()))
                        .append("waiting", new BsonInt32(sink.waiting())))
                .toList());
    }

    private BsonDocument opcodeDocument() {
        BsonDocument document = new BsonDocument();
        for (OpCode opCode : OpCode.values()) {
            long seen = counters.requests(opCode);
            if (seen > 0) {
                document.append(opCode == OpCode.UNKNOWN ? "unknown" : opCode.name(), new BsonInt64(seen));
            }
        }
        return document;
    }

    private BsonDocument closeDocument() {
        BsonDocument document = new BsonDocument();
        for (CloseCause cause : CloseCause.values()) {
            long seen = counters.closes(cause);
            if (seen > 0) {
                document.append(cause.text(), new BsonInt64(seen));
            }
        }
        return document;
    }
}
