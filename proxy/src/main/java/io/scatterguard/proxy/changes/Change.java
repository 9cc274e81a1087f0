package io.scatterguard.proxy.changes;

/** What is different about a command, the most harmful first. */
public enum Change {
    /** It went to some shards, and is sent to all that have a part of the collection. */
    NEWLY_BROADCAST("newly broadcast", true),
    /** It is answered with an error, and was not. */
    NEWLY_FAILING("newly failing", true),
    /** The policy refuses it, and did not. */
    NEWLY_REFUSED("newly refused", true),
    MORE_SHARDS("more shards", true),
    /** Neither better nor worse: another error, another way to as many shards, another verdict that refuses nothing. */
    OTHERWISE("otherwise", false),
    /** It was answered with an error, and is not; wherever it goes now. */
    NO_LONGER_FAILING("no longer failing", false),
    NO_LONGER_BROADCAST("no longer broadcast", false),
    /** Or no longer refused. */
    IMPROVED("improved", false),
    UNCHANGED("unchanged", false);

    private final String text;
    private final boolean worse;

    Change(String text, boolean worse) {
        this.text = text;
        this.worse = worse;
    }

    /** For people and programs; one may be added, none renamed. */
    public String text() {
        return text;
    }

    /** Whether somebody has to look at it before it is made. */
    public boolean isWorse() {
        return worse;
    }

    static Change between(Fate before, Fate after) {
        if (before.isLike(after)) {
            return UNCHANGED;
        } else if (after.fails() && !before.fails()) {
            return NEWLY_FAILING;
        } else if (after.isBroadcast() && !before.isBroadcast() && !before.fails()) {
            return NEWLY_BROADCAST;
        } else if (after.isRefused() && !before.isRefused()) {
            return NEWLY_REFUSED;
        } else if (before.fails() && !after.fails()) {
            return NO_LONGER_FAILING;
        }
        int wider = compareReach(before, after);
        if (wider > 0) {
            return MORE_SHARDS;
        } else if (before.isBroadcast() && !after.isBroadcast()) {
            return NO_LONGER_BROADCAST;
        }
        return wider < 0 || (before.isRefused() && !after.isRefused()) ? IMPROVED : OTHERWISE;
    }

    /** Above 0 if {@code after} reaches more: by the shards where those are known and differ, else by the way. */
    private static int compareReach(Fate before, Fate after) {
        if (before.shards() >= 0 && after.shards() >= 0 && before.shards() != after.shards()) {
            return Integer.compare(after.shards(), before.shards());
        }
        return Integer.compare(after.way().width(), before.way().width());
    }
}
