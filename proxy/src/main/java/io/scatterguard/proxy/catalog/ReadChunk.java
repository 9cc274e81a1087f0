package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.KeyBytes;

/**
 * One chunk as {@code config.chunks} describes it.
 *
 * @param min its lower end as key bytes
 * @param max its upper end, not part of it
 * @param owner the ordinal of its shard
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
record ReadChunk(byte[] min, byte[] max, int owner, ChunkVersion version, ChunkHistory history) {
    boolean isInverted() {
        return KeyBytes.compare(min, max) >= 0;
    }

    boolean overlaps(ReadChunk other) {
        return KeyBytes.compare(min, other.max) < 0 && KeyBytes.compare(other.min, max) < 0;
    }
}
