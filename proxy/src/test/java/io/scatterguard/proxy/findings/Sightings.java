package io.scatterguard.proxy.findings;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;

/** Sightings that tests share. */
public final class Sightings {
    private static final Destination BROADCAST = new Destination(
            "allShards", "scatterGather", "exact", false, new Destination.Reach(3, 3), List.of("region"));
    private static final Destination TARGETED =
            new Destination("oneShard", "singleShard", "exact", false, new Destination.Reach(1, 1), List.of());

    private Sightings() {}

    public static Sighting.Subject subject(String collection, String hash) {
        return new Sighting.Subject(new Namespace("shop", collection), "find", "find {filter: {}}", hash);
    }

    /** A finding on three shards, logged, of {@code owner}. */
    public static Sighting logged(String collection, String hash, String owner) {
        return new Sighting(
                subject(collection, hash),
                BROADCAST,
                new Sighting.Decision("log", false, true, true, null, owner),
                "checkout",
                List.of());
    }

    /** Likewise, refused by a rule. */
    public static Sighting refused(String collection, String hash) {
        return new Sighting(
                subject(collection, hash),
                BROADCAST,
                new Sighting.Decision("refuse", true, true, false, new Sighting.Basis("no-broadcast", null), "shop"),
                "checkout",
                List.of());
    }

    /** On one shard, and no finding. */
    public static Sighting allowed(String collection, String hash) {
        return new Sighting(
                subject(collection, hash),
                TARGETED,
                new Sighting.Decision("allow", false, false, false, null, null),
                "checkout",
                List.of());
    }

    /** By another application, and in tests. */
    public static Sighting from(Sighting sighting, String app, String... tests) {
        return new Sighting(sighting.subject(), sighting.destination(), sighting.decision(), app, List.of(tests));
    }
}
