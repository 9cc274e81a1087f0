package io.scatterguard.proxy.routing;

/** What the shard key makes of a command wherever its chunks are, as {@code analyzeShardKey} labels it (§18.2). */
public enum Shape {
    SINGLE_SHARD("singleShard"),
    MULTI_SHARD("multiShard"),
    SCATTER_GATHER("scatterGather");

    private final String text;

    Shape(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
