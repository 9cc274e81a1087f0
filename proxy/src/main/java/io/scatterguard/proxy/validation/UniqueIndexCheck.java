package io.scatterguard.proxy.validation;

/**
 * Whether a shard can keep an index unique without asking the others: it can where the shard key is a prefix of the index.
 * {@code shardCollection} refuses any other unique index, and so does {@code createIndex} on a sharded collection.
 */
final class UniqueIndexCheck {
    static final String ID = "_id";

    private final Findings findings;
    private final KeyPattern shardKey;

    UniqueIndexCheck(Findings findings, KeyPattern shardKey) {
        this.findings = findings;
        this.shardKey = shardKey;
    }

    /** @param name what the index is called in messages, without its key; empty where it is only declared */
    void check(String name, KeyPattern index) {
        String label = "unique index " + (name.isEmpty() ? "" : name + " ") + index;
        if (index.isHashed()) {
            findings.error(
                    "hashedUniqueIndex",
                    label + ": a hashed index cannot be unique",
                    "make the index on the field itself unique; it may stand beside the hashed one");
        } else if (shardKey.isNamePrefixOf(index)) {
            return;
        } else if (index.paths().get(0).equals(ID)) {
            idFirst(label, index);
        } else {
            findings.error(
                    "uniqueIndexWithoutKey",
                    label + " does not begin with the shard key " + shardKey
                            + ": the server refuses to shard a collection that has it (InvalidOptions),"
                            + " and to create it on one that is sharded (CannotCreateIndex)",
                    fix(index));
        }
    }

    /** The server lets every index pass that begins with {@code _id}, for it takes {@code _id} for unique. */
    private void idFirst(String label, KeyPattern index) {
        if (index.paths().size() > 1) {
            findings.warning(
                    "uniqueOnlyWithinShards",
                    label + " does not begin with the shard key " + shardKey
                            + ": the server accepts it because it begins with _id, and keeps it unique within each shard only",
                    "begin the index with the shard key, or do not rely on it");
        }
    }

    private String fix(KeyPattern index) {
        int common = shardKey.commonNames(index);
        KeyPattern other = common == 0 ? index.first(1) : shardKey.first(common);
        return "begin the index with " + String.join(", ", shardKey.paths()) + ", shard by " + other
                + ", or make the index not unique";
    }
}
