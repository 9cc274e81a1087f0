package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;

/** What is demanded of the name of a declared collection or view. */
final class NamespaceDemands {
    private static final String BUCKETS = "system.buckets.";

    private NamespaceDemands() {}

    /** Adds what is wrong with {@code namespace}. */
    static void check(Namespace namespace, Requirements requirements) {
        requirements
                .that(
                        !namespace.database().equals("admin")
                                && !namespace.database().equals("local"),
                        "namespace",
                        namespace + ": its database is never sharded (expected: a collection of an application)")
                .that(
                        !namespace.collection().startsWith(BUCKETS),
                        "namespace",
                        namespace
                                + ": holds the buckets of a time-series collection (expected: that collection's own name, "
                                + namespace.database() + "."
                                + namespace.collection().replaceFirst("^system\\.buckets\\.", "")
                                + ", with timeseries)");
    }
}
