package io.scatterguard.proxy.reports;

/** What a kind of finding is: the paragraph under its heading in docs/findings.md, word for word. */
final class KindHelp {
    private static final String PAGE = "docs/findings.md#";

    private KindHelp() {}

    static String of(Finding.Kind kind) {
        return switch (kind) {
            case SCATTER_GATHER ->
                "The router sends it to every shard that has a part of the collection. Give the first field of the shard key"
                        + " in the filter, and as many of the fields after it as you can.";
            case MULTI_SHARD ->
                "It narrows the key, but to a range or a list that several shards have. A rule matches it, or it would not"
                        + " be here.";
            case INTRINSIC ->
                "It reaches every shard whatever its filter says: change streams, statistics, commands on the whole cluster."
                        + " Only a rule that names the command makes it a finding.";
            case WOULD_FAIL ->
                "A sharded cluster would answer with an error. See [sharding-rules.md](sharding-rules.md).";
            case UNKNOWN_NAMESPACE ->
                "The metadata of its collection could not be read, and `catalog.onUnknown` decided.";
            case OTHER -> "A rule matched it for another reason than where it goes.";
        };
    }

    /** The same where there are neither links nor marks. */
    static String plain(Finding.Kind kind) {
        return of(kind).replaceAll("\\[([^]]+)]\\([^)]+\\)", "docs/$1").replace("`", "");
    }

    /** Where it stands. */
    static String documentation(Finding.Kind kind) {
        return PAGE + kind.anchor();
    }
}
