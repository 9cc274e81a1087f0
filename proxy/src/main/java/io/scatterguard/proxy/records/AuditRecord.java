package io.scatterguard.proxy.records;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.policy.Reasons;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A line of an audit log: what it is, and what it says of findings. A view of its members, without any of its own; no member
 * has to be there.
 */
public final class AuditRecord {
    /** What a line is. */
    public enum Kind {
        /** The record of a command that was routed, which a policy judges. */
        ROUTED,
        /** The record of a command that was not routed. */
        NOT_ROUTED,
        /** Stands for findings that have no record ({@code findings: sampled}). */
        COUNTS,
        /** Stands for records that are missing. */
        GAP,
        /** Nothing of an audit log: a command, or something else. */
        OTHER
    }

    /** What the record of a command says of findings; a count says of how many each. */
    public enum Says {
        /** It passed, and nothing speaks against it. */
        NOTHING,
        /** It was logged or refused because of what it is. */
        FINDING,
        /** It would be a finding, but an exemption let it pass. */
        EXEMPTED,
        /** It was logged or refused because of something else, which says nothing of where it goes: no baseline lifts that. */
        CONSEQUENCE
    }

    /** A hundred days of a server's time: more than a minute's counts have, and sums of many do not overflow. */
    static final long MAX_MICROS = 100L * 24 * 3600 * 1_000_000;

    /** More than any cluster has. */
    static final int MAX_SHARDS = 10_000;

    private static final Set<String> CONSEQUENCES =
            Set.of(Reasons.TRANSACTION_REFUSED, Reasons.INTERNAL_ERROR, Reasons.MALFORMED);

    private final RecordFields fields;
    private final Kind kind;

    private AuditRecord(RecordFields fields) {
        this.fields = fields;
        this.kind = kindOf(fields);
    }

    public static AuditRecord of(RecordFields fields) {
        return new AuditRecord(fields);
    }

    public static AuditRecord of(JsonNode record) {
        return new AuditRecord(RecordFields.of(record));
    }

    /** Whether {@code line}, read or not, begins as proxies begin the lines of their logs: worth a look among other lines. */
    public static boolean isMeant(String line) {
        return line.startsWith("{\"seq\":") || line.startsWith("{\"gap\":");
    }

    private static Kind kindOf(RecordFields fields) {
        if (fields.isNumber("seq")) {
            if (fields.isObject("counts")) {
                return Kind.COUNTS;
            }
            return fields.isObject("route") ? Kind.ROUTED : Kind.NOT_ROUTED;
        }
        return fields.isObject("gap") ? Kind.GAP : Kind.OTHER;
    }

    public Kind kind() {
        return kind;
    }

    public RecordFields fields() {
        return fields;
    }

    /** What it says of a command; {@link Says#NOTHING} of counts and of what is no record of a command. */
    public Says says() {
        String action = fields.text("verdict", "action");
        if (kind == Kind.COUNTS || kind == Kind.GAP || action.isEmpty()) {
            return Says.NOTHING;
        }
        if (!fields.text("verdict", "exemption").isEmpty()) {
            return Says.EXEMPTED;
        }
        if (action.equals("allow")) {
            return Says.NOTHING;
        }
        return CONSEQUENCES.contains(fields.text("verdict", "reason")) ? Says.CONSEQUENCE : Says.FINDING;
    }

    /** How many it stands for: the records of a gap, the findings of a count; 1 for anything else. */
    public long represents() {
        return switch (kind) {
            case GAP -> count("gap", "count");
            case COUNTS -> count("counts", "findings");
            case ROUTED, NOT_ROUTED, OTHER -> 1;
        };
    }

    /** How many commands it tells of. */
    public long commands() {
        return kind == Kind.GAP || kind == Kind.OTHER ? 0 : represents();
    }

    /** How many findings it tells of, exempted ones not among them. */
    public long findings() {
        return kind == Kind.COUNTS ? Math.max(0, represents() - exempted()) : says() == Says.FINDING ? 1 : 0;
    }

    /** How many commands an exemption let pass. */
    public long exempted() {
        return kind == Kind.COUNTS ? count("counts", "exempted") : says() == Says.EXEMPTED ? 1 : 0;
    }

    /** How many of its findings were answered with a refusal; counts tell of none, because each refusal has a record. */
    public long refused() {
        return findings() > 0 && fields.text("verdict", "action").equals("refuse") ? 1 : 0;
    }

    /** How many of its findings the policy would have refused, but forwarded. */
    public long wouldRefuse() {
        if (kind == Kind.COUNTS) {
            return Math.min(findings(), count("counts", "wouldRefuse"));
        }
        return findings() > refused() && fields.flag("verdict", "wouldRefuse") ? 1 : 0;
    }

    /** The server's time for all that it tells of, in microseconds, up to {@link #MAX_MICROS}. */
    public long serverMicros() {
        return Math.min(MAX_MICROS, kind == Kind.COUNTS ? count("counts", "serverMicros") : count("micros", "server"));
    }

    /** How many shards the command reaches, up to {@link #MAX_SHARDS}; 0 where that is not known, and of counts. */
    public int shards() {
        return (int) Math.min(MAX_SHARDS, count("route", "shardCount"));
    }

    /** The cost: server time times shards. Of counts only an example knows the shards. */
    public long shardMicros() {
        return serverMicros() * shards();
    }

    /** The hash of the query shape; empty if it has none. */
    public String id() {
        return fields.text("shape", "hash");
    }

    /** {@code db.coll}, or the database alone; empty if it is about none. */
    public String namespace() {
        String collection = fields.text("coll");
        return collection.isEmpty() ? fields.text("db") : fields.text("db") + "." + collection;
    }

    /** When the command came, or when counting ended; empty if that cannot be read. */
    public Optional<Instant> at() {
        try {
            return Optional.of(Instant.parse(fields.text("ts")));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Nobody's log holds fewer than none. */
    private long count(String part, String name) {
        return Math.max(0, fields.number(part, name));
    }
}
