package io.scatterguard.proxy.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Brings the routing table of one collection up to date and remembers it (targeting semantics §2.6). A collection whose
 * chunks did not change costs one query that returns one document; of one whose chunks changed, those are read that did.
 * Thread-safe; nobody may load the same collection twice at a time.
 */
final class TableLoader {
    /** How many chunks the remembered tables may have together: at 20 to 40 bytes each for short keys, 400 to 800 MB. */
    static final long MAX_CACHED_CHUNKS = 20_000_000;

    /** How often the chunks are read when the collection changes under the reading, as in the server. */
    static final int MAX_READS = 3;

    private final CatalogSource source;
    private final ShardOrdinals ordinals;
    private final Clock clock;
    private final Cache<Incarnation, CachedTable> tables;
    private final LongAdder deltas = new LongAdder();
    private final LongAdder fullLoads = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /**
     * What a look at a collection found.
     *
     * @param document its document of {@code config.collections} afterwards; null if it is no longer tracked
     * @param table null exactly if {@code document} is
     */
    record Look(@Nullable BsonDocument document, @Nullable CachedTable table) {
        static final Look GONE = new Look(null, null);
    }

    TableLoader(CatalogSource source, ShardOrdinals ordinals, long maxCachedChunks, Clock clock) {
        this.source = source;
        this.ordinals = ordinals;
        this.clock = clock;
        this.tables = Caffeine.newBuilder()
                .maximumWeight(maxCachedChunks)
                .weigher((Incarnation incarnation, CachedTable table) -> table.weight())
                .executor(Runnable::run)
                .build();
    }

    /**
     * Looks at a tracked collection.
     *
     * @param document its document of {@code config.collections}
     * @throws CatalogException if that document cannot be understood, or the collection is recreated again and again
     */
    Look load(BsonDocument document) {
        Incarnation incarnation = Incarnation.of(document);
        CollectionInfo info = CollectionDocument.info(document, incarnation);
        CachedTable cached = tables.getIfPresent(incarnation);
        CachedTable present = cached == null || !cached.fits(info) ? null : update(cached, info);
        if (cached == null || present == null) {
            return readUntilStable(document, null);
        }
        if (present.isAgainDue(clock.instant())) {
            return readUntilStable(document, present);
        }
        if (present.seen().equals(cached.seen())) {
            return remembered(document, present);
        }
        BsonDocument after = source.collection(incarnation.namespace());
        if (after == null || !CollectionDocument.isTracked(after)) {
            return Look.GONE;
        }
        return Incarnation.of(after).equals(incarnation) ? remembered(after, present) : readUntilStable(after, null);
    }

    private Look remembered(BsonDocument document, CachedTable table) {
        tables.put(table.incarnation(), table);
        return new Look(document, table);
    }

    /** Whether the chunks of this incarnation are remembered; not a use of them. */
    boolean remembers(Incarnation incarnation) {
        return tables.asMap().containsKey(incarnation);
    }

    /** The last good table of exactly this incarnation, null if there is none. */
    @Nullable RoutingTable lastGood(Incarnation incarnation) {
        CachedTable cached = tables.getIfPresent(incarnation);
        return cached == null ? null : cached.table();
    }

    /** Forgets every incarnation that is not in {@code live}. */
    void retain(Set<Incarnation> live) {
        tables.asMap().keySet().retainAll(live);
    }

    /** How often changed chunks were asked for, whether there were any or not. */
    long deltas() {
        return deltas.sum();
    }

    /** How often all chunks of a collection were read. */
    long fullLoads() {
        return fullLoads.sum();
    }

    /** How often what was read was no table: a gap, an overlap, a chunk that could not be understood. */
    long rejected() {
        return rejected.sum();
    }

    /**
     * The table with what changed since it was looked at last; null if the chunks must be read in full. Broken chunks of
     * which none of a higher version came are as they were.
     */
    private @Nullable CachedTable update(CachedTable cached, CollectionInfo info) {
        deltas.increment();
        RoutingTable table = cached.broken() == null ? cached.table() : null;
        RoutingTableUpdate update = table == null ? null : new RoutingTableUpdate(table, info, ordinals);
        List<ChunkVersion> versions = new ArrayList<>(1);
        try {
            source.chunksSince(cached.incarnation(), cached.seen(), chunk -> {
                if (versions.size() < 2) {
                    versions.add(ChunkVersion.of(ConfigFields.timestamp(chunk, "lastmod", "config.chunks")));
                }
                if (update != null) {
                    update.add(chunk);
                }
            });
            if (update == null) {
                boolean same = versions.isEmpty()
                        ? cached.seen().equals(ChunkVersion.NONE)
                        : versions.equals(List.of(cached.seen()));
                return same ? cached.describedBy(info) : null;
            }
            return versions.isEmpty()
                    ? null
                    : new CachedTable(cached.incarnation(), update.build(), update.version(), null).describedBy(info);
        } catch (CatalogException | BSONException e) {
            // What does not fit to the table is read in full; that says what is wrong, if anything is.
            rejected.increment();
            return null;
        }
    }

    /**
     * Reads the chunks in full until the collection is the same afterwards. The reading is no snapshot: what was read
     * before a migration and what was read after it can fit together, under the version of the latter. So a read counts
     * as undisturbed only if it found the highest version that there was before it. Otherwise, and if the chunks are
     * broken, they are read again; a breakage at the same version is believed. What was disturbed every time is remembered
     * under the version from before the read, so that the next refresh finds a change.
     *
     * @param earlier how the chunks were found broken at the present version; null where they were not
     */
    private Look readUntilStable(BsonDocument first, @Nullable CachedTable earlier) {
        BsonDocument document = first;
        CachedTable read = null;
        ChunkVersion brokenAt = earlier == null ? null : earlier.seen();
        for (int i = 0; i < MAX_READS; i++) {
            Incarnation incarnation = Incarnation.of(document);
            ChunkVersion before = source.highestVersion(incarnation);
            CachedTable found = read(incarnation, CollectionDocument.info(document, incarnation), earlier);
            BsonDocument after = source.collection(incarnation.namespace());
            if (after == null || !CollectionDocument.isTracked(after)) {
                return Look.GONE;
            }
            boolean sameIncarnation = Incarnation.of(after).equals(incarnation);
            read = sameIncarnation ? found.sureAt(before) : null;
            boolean broken = found.broken() != null;
            if (read != null && found.seen().equals(broken ? brokenAt : before)) {
                return remembered(after, read);
            }
            brokenAt = sameIncarnation && broken ? found.seen() : null;
            document = after;
        }
        if (read == null) {
            throw new CatalogException(
                    Incarnation.of(document).namespace() + ": dropped, created or resharded during each of " + MAX_READS
                            + " reads of its chunks (expected: one incarnation)");
        }
        return read.broken() == null ? remembered(document, read) : new Look(document, read);
    }

    private CachedTable read(Incarnation incarnation, CollectionInfo info, @Nullable CachedTable earlier) {
        fullLoads.increment();
        RoutingTableAssembler assembler = new RoutingTableAssembler(info, ordinals);
        try {
            source.chunks(incarnation, assembler::add);
            return new CachedTable(incarnation, assembler.build(), assembler.version(), null);
        } catch (CatalogException | BSONException e) {
            rejected.increment();
            ChunkVersion version = assembler.version();
            CatalogProblem problem =
                    new CatalogProblem(incarnation.namespace().fullName(), String.valueOf(e.getMessage()));
            BrokenChunks broken =
                    BrokenChunks.found(problem, readingsBefore(earlier, incarnation, version), clock.instant());
            return new CachedTable(incarnation, lastGood(incarnation), version, broken);
        }
    }

    private static int readingsBefore(@Nullable CachedTable earlier, Incarnation incarnation, ChunkVersion version) {
        return earlier != null
                        && earlier.incarnation().equals(incarnation)
                        && earlier.seen().equals(version)
                ? earlier.brokenReadings()
                : 0;
    }
}
