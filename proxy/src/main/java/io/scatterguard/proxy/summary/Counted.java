package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.records.AuditRecord;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Findings that a sampled log has only counted. How many shards they had and whose they are only an example tells, which may come
 * later: so they wait, added up, until everything is read. Not thread-safe.
 */
final class Counted {
    /** How many shapes, applications and days are told apart. */
    static final int MAX_CELLS = 100_000;

    /** What counts have in common. */
    private record Key(String id, String app, @Nullable LocalDate day) {}

    private record Owned(String id, String app) {}

    /** Of a shape, an application and a day. */
    record Cell(
            String id,
            String namespace,
            String app,
            @Nullable LocalDate day,
            Sums sums) {}

    /** What is done with a cell in the end. */
    interface Sink {
        /** @param owner empty if no example tells */
        void settle(Cell cell, String owner);
    }

    private final Map<Key, Cell> cells = new HashMap<>();
    private final Map<Owned, String> owners = new HashMap<>();
    private final Map<String, String> ownersOfShapes = new HashMap<>();

    /** An example of what may be counted elsewhere. */
    void example(AuditRecord record) {
        String owner = record.fields().text("owner");
        if (owner.isEmpty() || owners.size() >= MAX_CELLS) {
            return;
        }
        owners.putIfAbsent(new Owned(record.id(), app(record)), owner);
        ownersOfShapes.putIfAbsent(record.id(), owner);
    }

    /** Whether there is room for these counts, which name a shape. */
    boolean add(AuditRecord record, @Nullable LocalDate day) {
        Key key = new Key(record.id(), app(record), day);
        Cell before = cells.get(key);
        if (before == null && cells.size() >= MAX_CELLS) {
            return false;
        }
        Sums more = sums(record);
        cells.put(
                key,
                before == null
                        ? new Cell(key.id, record.namespace(), key.app, day, more)
                        : new Cell(key.id, before.namespace, key.app, day, before.sums.plus(more)));
        return true;
    }

    /** Without the cost, which only an example knows. Where all were exempted, the time is not one of findings. */
    static Sums sums(AuditRecord record) {
        long micros = record.findings() == 0 ? 0 : record.serverMicros();
        return new Sums(record.findings(), 0, record.wouldRefuse(), record.exempted(), micros, 0);
    }

    static String app(AuditRecord record) {
        return record.fields().text("client", "app");
    }

    /** @param shards how many shards the examples of each shape reach */
    void settle(Map<String, Integer> shards, Sink sink) {
        for (Cell cell : cells.values()) {
            Sums sums = cell.sums;
            long cost = sums.serverMicros() * Math.max(0, shards.getOrDefault(cell.id, 0));
            Sums whole = new Sums(sums.findings(), 0, sums.wouldRefuse(), sums.exempted(), sums.serverMicros(), cost);
            String owner = owners.getOrDefault(new Owned(cell.id, cell.app), ownersOfShapes.getOrDefault(cell.id, ""));
            sink.settle(new Cell(cell.id, cell.namespace, cell.app, cell.day, whole), owner);
        }
    }
}
