package io.scatterguard.proxy.routing;

/**
 * Whether a {@code deleteOne} or {@code findAndModify} without the full key is accepted when its filter reaches one shard
 * (SERVER-44422). Later patches of 5.0 and 6.0 do, earlier ones refuse it, and a release is known here without its patch.
 */
final class OneShardWrites {
    private OneShardWrites() {}

    static boolean mayBeAccepted(RouterRelease release) {
        return release.equals(new RouterRelease(5, 0)) || release.equals(new RouterRelease(6, 0));
    }
}
