package io.scatterguard.proxy.routing;

/** How many shards are contacted, as the router counts it in {@code numHostsTargeted} (targeting semantics §18.1). */
public enum Placement {
    UNSHARDED("unsharded"),
    ONE_SHARD("oneShard"),
    MANY_SHARDS("manyShards"),
    ALL_SHARDS("allShards");

    private final String text;

    Placement(String text) {
        this.text = text;
    }

    /** The router's word for it. */
    public String text() {
        return text;
    }
}
