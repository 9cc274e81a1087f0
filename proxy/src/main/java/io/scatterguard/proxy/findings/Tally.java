package io.scatterguard.proxy.findings;

/**
 * How many commands there were, and what they cost. Times are from a command's being forwarded to the end of its reply; shard time
 * is that times the shards that work on it, 0 where nobody knows how many.
 *
 * @param commands how many ended
 * @param findings those the policy logged, refused or let pass because of an exemption
 * @param refused those that were refused
 * @param wouldRefuse those that enforce mode would have refused
 * @param exempted those that an exemption let pass
 * @param times what all of them took
 * @param timesOfFindings what the findings among them took
 */
public record Tally(
        long commands,
        long findings,
        long refused,
        long wouldRefuse,
        long exempted,
        Times times,
        Times timesOfFindings) {
    public static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, Times.NONE, Times.NONE);

    /** Sums in microseconds. */
    public record Times(long serverMicros, long shardMicros) {
        static final Times NONE = new Times(0, 0);

        Times plus(Times other) {
            return new Times(serverMicros + other.serverMicros, shardMicros + other.shardMicros);
        }
    }

    /** Both together. */
    public Tally plus(Tally other) {
        return new Tally(
                commands + other.commands,
                findings + other.findings,
                refused + other.refused,
                wouldRefuse + other.wouldRefuse,
                exempted + other.exempted,
                times.plus(other.times),
                timesOfFindings.plus(other.timesOfFindings));
    }
}
