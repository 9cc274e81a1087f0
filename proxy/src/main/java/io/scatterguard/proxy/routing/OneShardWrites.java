package io.scatterguard.proxy.routing;

/**
 * Whether a {@code deleteOne} or {@code findAndModify} without the full key is accepted when its filter reaches one shard
 * (SERVER-44422). Later patches of 5.0 and 6.0 do, earlier ones refuse it, and a release is known here without its patch.
 */
final class OneShardWrites {
    private OneShardWrites() {}

    /**
     * What becomes of such a write before 7.0.
     *
     * @param target exact, and without the full key
     */
    static Target withoutKey(Target target, ShardedCollection collection) {
        RouterRelease release = collection.release();
        if (!release.equals(new RouterRelease(5, 0)) && !release.equals(new RouterRelease(6, 0))) {
            return Target.ofError(PredictedError.SHARD_KEY_NOT_FOUND);
        }
        if (collection.mayBeOneShard(target)) {
            return target.perhaps();
        }
        // On several shards it surely fails. Where the chunks might lie otherwise it counts as no more certain than on
        // one, so
        // that rules make the same of it wherever they are.
        Target refused = target.refusedOnSeveral(PredictedError.SHARD_KEY_NOT_FOUND);
        return refused.shape() == null ? refused : refused.perhaps();
    }
}
