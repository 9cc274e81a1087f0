package io.scatterguard.proxy.routing;

/**
 * The error that a cluster sharded by the declared keys gives for a command which a server that is not sharded executes. It
 * holds nothing that the command wrote.
 *
 * @param error what the application would get
 * @param cause what is wrong
 * @param statement the position in the batch, from 0; of the index in a {@code createIndexes}; 0 for a command that is one
 *     statement
 * @param certain whether the command itself shows it, so that it fails as soon as there is a document to change; otherwise
 *     that depends on values that are stored
 */
public record WouldFail(PredictedError error, Cause cause, int statement, boolean certain) {
    /** The kinds of causes; their {@link #text()} is part of the audit log's format: one may be added, none renamed. */
    public enum Cause {
        /** Before 7.0. */
        UPDATE_ONE_WITHOUT_KEY(
                "updateOneWithoutKey",
                "an update of one document needs the full shard key, a filter that leaves one shard, or an exact _id",
                "give the full shard key by equality, or use multi: true"),
        /** Before 7.0. */
        DELETE_ONE_WITHOUT_KEY(
                "deleteOneWithoutKey",
                "a delete of one document needs the full shard key or an exact _id",
                "give the full shard key by equality"),
        /** Before 7.0. */
        FIND_AND_MODIFY_WITHOUT_KEY(
                "findAndModifyWithoutKey",
                "a findAndModify needs the full shard key",
                "give the full shard key by equality"),
        /** Before 7.0 any, since then one of many documents. */
        UPSERT_WITHOUT_KEY(
                "upsertWithoutKey",
                "an upsert needs the full shard key in its filter",
                "give the full shard key by equality"),
        DOCUMENT_WITHOUT_KEY(
                "documentWithoutKey",
                "the document has no value of the shard key that a shard can hold, like one under which an array stands",
                "store single values under the shard key"),
        ARRAY_IN_KEY(
                "arrayInKey",
                "the update stores an array under the shard key",
                "store single values under the shard key"),
        /** Before 7.0. */
        KEY_CHANGE_WITHOUT_KEY(
                "keyChangeWithoutKey",
                "the update changes a field of the shard key, and its filter does not give the full shard key",
                "give the full shard key by equality, or leave its fields as they are"),
        KEY_CHANGE_OF_MANY(
                "keyChangeOfMany",
                "an update of many documents changes a field of the shard key",
                "change the shard key of one document at a time, or leave its fields as they are"),
        KEY_CHANGE_NOT_RETRYABLE(
                "keyChangeNotRetryable",
                "the update changes a field of the shard key, and is neither a retryable write nor in a transaction",
                "send it with retryWrites, alone or without updates of many documents beside it"),
        UNIQUE_INDEX_WITHOUT_KEY(
                "uniqueIndexWithoutKey",
                "a unique index must begin with the fields of the shard key, in their order, or with _id",
                "put the fields of the shard key first"),
        TOO_MANY_RANGES(
                "tooManyRanges",
                "the filter leaves more ranges over the shard key than a router follows",
                "shorten the lists of values on the shard key");

        private final String text;
        private final String problem;
        private final String fix;

        Cause(String text, String problem, String fix) {
            this.text = text;
            this.problem = problem;
            this.fix = fix;
        }

        /** As it stands in the audit log and in a refusal, for instance {@code updateOneWithoutKey}. */
        public String text() {
            return text;
        }

        /** What is wrong, a clause for people. */
        public String problem() {
            return problem;
        }

        /** What to do about it, a short imperative clause. */
        public String fix() {
            return fix;
        }
    }

    public WouldFail {
        if (statement < 0) {
            throw new IllegalArgumentException("statement: " + statement + " (expected: 0 or more)");
        }
    }

    /** One sentence for people: the error and the cause. */
    public String sentence() {
        return (certain ? "" : "Where the stored value is another one: ") + error.codeName() + " (" + error.code()
                + "), because " + cause.problem() + ".";
    }
}
