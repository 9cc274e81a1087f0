package io.scatterguard.proxy.embedded;

import de.bwaldvogel.mongo.MongoVersion;
import java.util.List;

/**
 * MongoDB 6.0, the release that the embedded server reports. The server library's own constants end at wire version 8,
 * which drivers of today refuse to talk to.
 */
final class EmbeddedVersion implements MongoVersion {
    /** What a 6.0 server reports as {@code maxWireVersion}. */
    private static final int WIRE_VERSION = 17;

    @Override
    public List<Integer> getVersionArray() {
        return List.of(6, 0, 0);
    }

    @Override
    public int getWireVersion() {
        return WIRE_VERSION;
    }
}
