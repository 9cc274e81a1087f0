package io.scatterguard.proxy.catalog;

import org.bson.BsonTimestamp;

/**
 * A version of a routing table: the highest {@code lastmod} of its chunks.
 *
 * @param major the seconds half of the Timestamp, unsigned
 * @param minor the increment half, unsigned
 */
public record ChunkVersion(int major, int minor) implements Comparable<ChunkVersion> {
    public static final ChunkVersion NONE = new ChunkVersion(0, 0);

    /** The version in a chunk's {@code lastmod}. */
    static ChunkVersion of(BsonTimestamp lastmod) {
        return new ChunkVersion(lastmod.getTime(), lastmod.getInc());
    }

    @Override
    public int compareTo(ChunkVersion other) {
        int byMajor = Integer.compareUnsigned(major, other.major);
        return byMajor != 0 ? byMajor : Integer.compareUnsigned(minor, other.minor);
    }

    /** {@code major|minor}, as the server prints it. */
    @Override
    public String toString() {
        return Integer.toUnsignedString(major) + "|" + Integer.toUnsignedString(minor);
    }
}
