package io.scatterguard.proxy.routing;

/**
 * An error a cluster would raise for a command: the router's targeting (targeting semantics §17), or a shard, which no route
 * shows: see {@link WouldFail}.
 */
public enum PredictedError {
    BAD_VALUE(2, "BadValue"),
    UNSUPPORTED_FORMAT(12, "UnsupportedFormat"),
    ILLEGAL_OPERATION(20, "IllegalOperation"),
    NAMESPACE_NOT_FOUND(26, "NamespaceNotFound"),
    /** An update that stores an array under the shard key; a shard gives it. */
    NOT_SINGLE_VALUE_FIELD(54, "NotSingleValueField"),
    SHARD_KEY_NOT_FOUND(61, "ShardKeyNotFound"),
    /** A unique index that the shard key is no prefix of; a shard gives it. */
    CANNOT_CREATE_INDEX(67, "CannotCreateIndex"),
    INVALID_OPTIONS(72, "InvalidOptions"),
    /** A write to a view, or a read that views do not have; the database's primary gives it, not the router. */
    COMMAND_NOT_SUPPORTED_ON_VIEW(166, "CommandNotSupportedOnView"),
    /** Another collation than the view's own; the database's primary gives it. */
    OPTION_NOT_SUPPORTED_ON_VIEW(167, "OptionNotSupportedOnView"),
    /** A read at a cluster time to which the history of a chunk does not reach back. */
    STALE_CHUNK_HISTORY(250, "StaleChunkHistory"),
    TOO_MANY_RANGES(17439, "Location17439"),
    /** A change of the shard key by a filter without the full one; a shard gives it. */
    KEY_UPDATE_WITHOUT_KEY(31025, "Location31025"),
    /** An {@code $expr} on the meta field in an {@code $or} with other fields: an assertion that fails in 6.3. */
    META_EXPRESSION_IN_OR(6707200, "Location6707200"),
    /** A measurement of a time-series collection without a date in its time field. */
    NO_TIME_VALUE(5743702, "Location5743702");

    private final int code;
    private final String codeName;

    PredictedError(int code, String codeName) {
        this.code = code;
        this.codeName = codeName;
    }

    public int code() {
        return code;
    }

    public String codeName() {
        return codeName;
    }
}
