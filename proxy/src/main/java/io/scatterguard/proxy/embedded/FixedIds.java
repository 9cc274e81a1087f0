package io.scatterguard.proxy.embedded;

import org.bson.types.ObjectId;

/** ObjectIds that are the same in every run; those of the driver hold a part that each process draws anew. */
final class FixedIds {
    private FixedIds() {}

    /**
     * An id of the given second.
     *
     * @param number tells ids of one second apart
     */
    static ObjectId of(int epochSecond, int number) {
        return new ObjectId(String.format("%08x%016x", epochSecond, number));
    }
}
