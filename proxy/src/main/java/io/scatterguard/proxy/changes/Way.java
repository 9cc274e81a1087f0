package io.scatterguard.proxy.changes;

import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;

/** Where a command goes, in the words of the report. */
public enum Way {
    NOT_ROUTED("not routed", 0),
    UNSHARDED("unsharded", 0),
    SINGLE_SHARD("single shard", 0),
    MULTI_SHARD("multi shard", 1),
    /** The router searches the shards for the document before it writes. */
    TWO_PHASE("two-phase", 2),
    SCATTER_GATHER("scatter-gather", 2),
    BY_NATURE("broadcast by nature", 2),
    UNKNOWN("unknown", 2),
    /** It is answered with an error. */
    WOULD_FAIL("would fail", 0);

    private final String text;
    private final int width;

    Way(String text, int width) {
        this.text = text;
        this.width = width;
    }

    /** For people and programs; one may be added, none renamed. */
    public String text() {
        return text;
    }

    /** Larger for what reaches more, wherever the chunks are. */
    int width() {
        return width;
    }

    /** The way of a command that does not fail. */
    static Way of(Route route) {
        Shape shape = route.shape();
        Reason reason = route.worst().reason();
        if (route.kind() == Route.Kind.NOT_ROUTED) {
            return reason == Reason.CATALOG_UNKNOWN ? UNKNOWN : NOT_ROUTED;
        } else if (route.isIntrinsic()) {
            return BY_NATURE;
        } else if (reason == Reason.TWO_PHASE_WRITE) {
            return TWO_PHASE;
        } else if (reason == Reason.CATALOG_UNKNOWN) {
            return UNKNOWN;
        } else if (shape == null) {
            return UNSHARDED;
        }
        return switch (shape) {
            case SINGLE_SHARD -> SINGLE_SHARD;
            case MULTI_SHARD -> MULTI_SHARD;
            case SCATTER_GATHER -> SCATTER_GATHER;
        };
    }
}
