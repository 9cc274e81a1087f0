package io.scatterguard.proxy.routing;

/** Why a statement goes where it goes; {@link RouteText} makes the sentence of it. */
public enum Reason {
    /** The command is not routed by a shard key at all. */
    NOT_ROUTED,
    /** It reaches everything by its nature. */
    INTRINSIC,
    /** The collection is not sharded. */
    UNSHARDED,
    /** The full shard key is given by equality (or by the inserted document). */
    FULL_KEY,
    /** Predicates on a prefix of the key narrow it. */
    KEY_BOUNDS,
    /** The bounds on the key contradict each other: the router asks the shard of the first chunk. */
    EMPTY_BOUNDS,
    /** There is no predicate at all. */
    NO_FILTER,
    /** There are predicates, but none that can be used on the first key field. */
    FIRST_FIELD_UNCONSTRAINED,
    /** One branch of an {@code $or} does not constrain the first key field. */
    UNSCOPED_OR_BRANCH,
    /** A write by exact {@code _id} without the shard key is sent to every shard. */
    EXACT_ID_BROADCAST,
    /** A write that touches several shards is sent to every registered shard. */
    WRITE_BROADCAST,
    /** A write of many documents is handed to the database's primary, which sends it on. */
    COORDINATED_WRITE,
    /** A write without the full key: the router searches all candidates first. */
    TWO_PHASE_WRITE,
    /** The collation keeps the router from using the predicate. */
    COLLATION,
    /** Something in the command is not yet understood: the set is an upper bound. */
    NOT_UNDERSTOOD,
    /** A field that decides stands twice, and routers differ in which one they take, if they take the command at all. */
    AMBIGUOUS,
    /** The metadata of the namespace is not known: the set is an upper bound. */
    CATALOG_UNKNOWN,
    /** The router would answer with an error. */
    PREDICTED_ERROR
}
