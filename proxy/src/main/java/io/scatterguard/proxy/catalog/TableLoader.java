package io.scatterguard.proxy.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Set;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Brings the routing table of one collection up to date and remembers it (targeting semantics §2.6). A collection whose
 * chunks did not change costs one query that returns one document. Not thread-safe.
 */
final class TableLoader {
    /**
     * How many chunks the remembered tables may have together: at about 60 bytes each, 1.2 GB. A table beyond it is
     * still served, but read in full by every refresh.
     */
    static final long MAX_CACHED_CHUNKS = 20_000_000;

    /** How often the chunks are read when the collection changes under the reading, as in the server. */
    static final int MAX_READS = 3;

    private final CatalogSource source;
    private final ShardOrdinals ordinals;
    private final Cache<Incarnation, CachedTable> tables;

    TableLoader(CatalogSource source, ShardOrdinals ordinals, long maxCachedChunks) {
        this.source = source;
        this.ordinals = ordinals;
        this.tables = Caffeine.newBuilder()
                .maximumWeight(maxCachedChunks)
                .weigher((Incarnation incarnation, CachedTable table) -> table.weight())
                .executor(Runnable::run)
                .build();
    }

    /**
     * The state of a tracked collection; null if it turns out to be dropped or no longer tracked.
     *
     * @param document its document of {@code config.collections}
     * @throws CatalogException if that document cannot be understood, or the collection is recreated again and again
     */
    @Nullable CachedTable load(BsonDocument document) {
        Incarnation incarnation = Incarnation.of(document);
        CachedTable cached = tables.getIfPresent(incarnation);
        CollectionInfo info = CollectionDocument.info(document, incarnation);
        if (cached == null || !cached.fits(info) || !isUnchanged(incarnation, cached)) {
            return readUntilStable(document);
        }
        CachedTable present = cached.describedBy(info);
        if (!present.equals(cached)) {
            tables.put(incarnation, present);
        }
        return present;
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

    private boolean isUnchanged(Incarnation incarnation, CachedTable cached) {
        return source.versionsSince(incarnation, cached.seen(), 2).equals(List.of(cached.seen()));
    }

    /**
     * Reads the chunks in full until the collection is the same afterwards. The reading is no snapshot: what was read
     * before a migration and what was read after it can fit together, under the version of the latter. So a read counts
     * as undisturbed only if it found the highest version that there was before it. Otherwise, and if the chunks are
     * broken, they are read again; the same breakage at the same version is there to stay. What was disturbed every time
     * is remembered under the version from before the read, so that the next refresh finds a change.
     */
    private @Nullable CachedTable readUntilStable(BsonDocument first) {
        BsonDocument document = first;
        CachedTable read = null;
        ChunkVersion brokenAt = null;
        for (int i = 0; i < MAX_READS; i++) {
            Incarnation incarnation = Incarnation.of(document);
            ChunkVersion before = source.highestVersion(incarnation);
            CachedTable found = read(incarnation, CollectionDocument.info(document, incarnation));
            BsonDocument after = source.collection(incarnation.namespace());
            if (after == null || !CollectionDocument.isTracked(after)) {
                return null;
            }
            boolean sameIncarnation = Incarnation.of(after).equals(incarnation);
            read = sameIncarnation ? found.sureAt(before) : null;
            boolean broken = found.problem() != null;
            if (read != null && found.seen().equals(broken ? brokenAt : before)) {
                tables.put(incarnation, read);
                return read;
            }
            brokenAt = sameIncarnation && broken ? found.seen() : null;
            document = after;
        }
        if (read == null) {
            throw new CatalogException(
                    Incarnation.of(document).namespace() + ": dropped, created or resharded during each of " + MAX_READS
                            + " reads of its chunks (expected: one incarnation)");
        }
        if (read.problem() == null) {
            tables.put(read.incarnation(), read);
        }
        return read;
    }

    private CachedTable read(Incarnation incarnation, CollectionInfo info) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(info, ordinals);
        try {
            source.chunks(incarnation, assembler::add);
            return new CachedTable(incarnation, assembler.build(), assembler.version(), null);
        } catch (CatalogException | BSONException e) {
            String subject = incarnation.namespace().fullName();
            return new CachedTable(
                    incarnation,
                    lastGood(incarnation),
                    assembler.version(),
                    new CatalogProblem(subject, String.valueOf(e.getMessage())));
        }
    }
}
