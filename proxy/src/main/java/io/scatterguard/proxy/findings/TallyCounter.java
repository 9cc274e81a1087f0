package io.scatterguard.proxy.findings;

/** Counts a {@link Tally}. Not thread-safe: whoever has it guards it. */
final class TallyCounter {
    private long commands;
    private long findings;
    private long refused;
    private long wouldRefuse;
    private long exempted;
    private long serverMicros;
    private long shardMicros;
    private long findingServerMicros;
    private long findingShardMicros;

    void add(Sighting.Decision decision, long micros, long shards) {
        commands++;
        serverMicros += micros;
        shardMicros += micros * shards;
        if (decision.finding()) {
            findings++;
            findingServerMicros += micros;
            findingShardMicros += micros * shards;
        }
        refused += decision.refused() ? 1 : 0;
        wouldRefuse += decision.wouldRefuse() ? 1 : 0;
        exempted += decision.exempted() ? 1 : 0;
    }

    void add(TallyCounter other) {
        commands += other.commands;
        findings += other.findings;
        refused += other.refused;
        wouldRefuse += other.wouldRefuse;
        exempted += other.exempted;
        serverMicros += other.serverMicros;
        shardMicros += other.shardMicros;
        findingServerMicros += other.findingServerMicros;
        findingShardMicros += other.findingShardMicros;
    }

    long commands() {
        return commands;
    }

    long shardMicros() {
        return shardMicros;
    }

    Tally tally() {
        return new Tally(
                commands,
                findings,
                refused,
                wouldRefuse,
                exempted,
                new Tally.Times(serverMicros, shardMicros),
                new Tally.Times(findingServerMicros, findingShardMicros));
    }
}
