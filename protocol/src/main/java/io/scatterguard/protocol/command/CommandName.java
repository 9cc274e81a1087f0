package io.scatterguard.protocol.command;

import io.scatterguard.protocol.bson.BsonCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The commands that are told apart. The server's names are case-sensitive; the few old spellings it accepts besides are
 * listed. Everything else is {@link #UNKNOWN} and keeps its text in {@link CommandView#name()}.
 */
public enum CommandName {
    FIND(Kind.READ, "find"),
    AGGREGATE(Kind.READ, "aggregate"),
    COUNT(Kind.READ, "count"),
    DISTINCT(Kind.READ, "distinct"),
    MAP_REDUCE(Kind.READ, "mapReduce", "mapreduce"),
    FILE_MD5(Kind.READ, "filemd5"),
    EXPLAIN(Kind.READ, "explain"),
    INSERT(Kind.WRITE, "insert"),
    UPDATE(Kind.WRITE, "update"),
    DELETE(Kind.WRITE, "delete"),
    FIND_AND_MODIFY(Kind.WRITE, "findAndModify", "findandmodify"),
    BULK_WRITE(Kind.WRITE, "bulkWrite"),
    GET_MORE(Kind.CURSOR, "getMore"),
    KILL_CURSORS(Kind.CURSOR, "killCursors"),
    HELLO(Kind.HANDSHAKE, "hello"),
    IS_MASTER(Kind.HANDSHAKE, "isMaster", "ismaster"),
    SASL_START(Kind.AUTHENTICATION, "saslStart"),
    SASL_CONTINUE(Kind.AUTHENTICATION, "saslContinue"),
    AUTHENTICATE(Kind.AUTHENTICATION, "authenticate"),
    GET_NONCE(Kind.AUTHENTICATION, "getnonce"),
    LOGOUT(Kind.AUTHENTICATION, "logout"),
    CREATE_USER(Kind.USER_MANAGEMENT, "createUser"),
    UPDATE_USER(Kind.USER_MANAGEMENT, "updateUser"),
    DROP_USER(Kind.USER_MANAGEMENT, "dropUser"),
    DROP_ALL_USERS(Kind.USER_MANAGEMENT, "dropAllUsersFromDatabase"),
    USERS_INFO(Kind.USER_MANAGEMENT, "usersInfo"),
    GRANT_ROLES_TO_USER(Kind.USER_MANAGEMENT, "grantRolesToUser"),
    REVOKE_ROLES_FROM_USER(Kind.USER_MANAGEMENT, "revokeRolesFromUser"),
    CREATE_ROLE(Kind.USER_MANAGEMENT, "createRole"),
    UPDATE_ROLE(Kind.USER_MANAGEMENT, "updateRole"),
    DROP_ROLE(Kind.USER_MANAGEMENT, "dropRole"),
    ROLES_INFO(Kind.USER_MANAGEMENT, "rolesInfo"),
    GRANT_ROLES_TO_ROLE(Kind.USER_MANAGEMENT, "grantRolesToRole"),
    REVOKE_ROLES_FROM_ROLE(Kind.USER_MANAGEMENT, "revokeRolesFromRole"),
    GRANT_PRIVILEGES_TO_ROLE(Kind.USER_MANAGEMENT, "grantPrivilegesToRole"),
    REVOKE_PRIVILEGES_FROM_ROLE(Kind.USER_MANAGEMENT, "revokePrivilegesFromRole"),
    DROP_ALL_ROLES(Kind.USER_MANAGEMENT, "dropAllRolesFromDatabase"),
    INVALIDATE_USER_CACHE(Kind.USER_MANAGEMENT, "invalidateUserCache"),
    COMMIT_TRANSACTION(Kind.SESSION, "commitTransaction"),
    ABORT_TRANSACTION(Kind.SESSION, "abortTransaction"),
    START_SESSION(Kind.SESSION, "startSession"),
    REFRESH_SESSIONS(Kind.SESSION, "refreshSessions"),
    END_SESSIONS(Kind.SESSION, "endSessions"),
    PING(Kind.ROUTER_LOCAL, "ping"),
    BUILD_INFO(Kind.ROUTER_LOCAL, "buildInfo", "buildinfo"),
    CONNECTION_STATUS(Kind.ROUTER_LOCAL, "connectionStatus"),
    WHATS_MY_URI(Kind.ROUTER_LOCAL, "whatsmyuri"),
    HOST_INFO(Kind.ROUTER_LOCAL, "hostInfo"),
    SERVER_STATUS(Kind.ROUTER_LOCAL, "serverStatus"),
    GET_PARAMETER(Kind.ROUTER_LOCAL, "getParameter"),
    SET_PARAMETER(Kind.ROUTER_LOCAL, "setParameter"),
    GET_LOG(Kind.ROUTER_LOCAL, "getLog"),
    LOG_ROTATE(Kind.ROUTER_LOCAL, "logRotate"),
    GET_CMD_LINE_OPTS(Kind.ROUTER_LOCAL, "getCmdLineOpts"),
    LIST_COMMANDS(Kind.ROUTER_LOCAL, "listCommands"),
    IS_DB_GRID(Kind.ROUTER_LOCAL, "isdbgrid"),
    FEATURES(Kind.ROUTER_LOCAL, "features"),
    FLUSH_ROUTER_CONFIG(Kind.ROUTER_LOCAL, "flushRouterConfig"),
    GET_SHARD_MAP(Kind.ROUTER_LOCAL, "getShardMap"),
    GET_SHARD_VERSION(Kind.ROUTER_LOCAL, "getShardVersion"),
    NET_STAT(Kind.ROUTER_LOCAL, "netstat"),
    SHUTDOWN(Kind.ROUTER_LOCAL, "shutdown"),
    GET_DEFAULT_RW_CONCERN(Kind.ROUTER_LOCAL, "getDefaultRWConcern"),
    CREATE(Kind.DDL_PRIMARY, "create"),
    DROP(Kind.DDL_PRIMARY, "drop"),
    DROP_DATABASE(Kind.DDL_PRIMARY, "dropDatabase"),
    RENAME_COLLECTION(Kind.DDL_PRIMARY, "renameCollection"),
    COLL_MOD(Kind.DDL_PRIMARY, "collMod"),
    CONVERT_TO_CAPPED(Kind.DDL_PRIMARY, "convertToCapped"),
    DROP_INDEXES(Kind.DDL_PRIMARY, "dropIndexes", "deleteIndexes"),
    SHARD_COLLECTION(Kind.DDL_PRIMARY, "shardCollection", "shardcollection"),
    RESHARD_COLLECTION(Kind.DDL_PRIMARY, "reshardCollection"),
    REFINE_SHARD_KEY(Kind.DDL_PRIMARY, "refineCollectionShardKey"),
    MOVE_PRIMARY(Kind.DDL_PRIMARY, "movePrimary"),
    LIST_COLLECTIONS(Kind.DDL_PRIMARY, "listCollections"),
    LIST_INDEXES(Kind.LOWEST_CHUNK, "listIndexes"),
    CREATE_INDEXES(Kind.OWNING_SHARDS, "createIndexes"),
    VALIDATE(Kind.OWNING_SHARDS, "validate"),
    COLL_STATS(Kind.OWNING_SHARDS, "collStats", "collstats"),
    DATA_SIZE(Kind.OWNING_SHARDS, "dataSize", "datasize"),
    SET_INDEX_COMMIT_QUORUM(Kind.OWNING_SHARDS, "setIndexCommitQuorum"),
    ANALYZE(Kind.OWNING_SHARDS, "analyze"),
    ANALYZE_SHARD_KEY(Kind.OWNING_SHARDS, "analyzeShardKey"),
    PLAN_CACHE_CLEAR(Kind.OWNING_SHARDS, "planCacheClear"),
    PLAN_CACHE_LIST_FILTERS(Kind.OWNING_SHARDS, "planCacheListFilters"),
    PLAN_CACHE_SET_FILTER(Kind.OWNING_SHARDS, "planCacheSetFilter"),
    PLAN_CACHE_CLEAR_FILTERS(Kind.OWNING_SHARDS, "planCacheClearFilters"),
    DB_STATS(Kind.ALL_SHARDS, "dbStats", "dbstats"),
    VALIDATE_DB_METADATA(Kind.ALL_SHARDS, "validateDBMetadata"),
    APPEND_OPLOG_NOTE(Kind.ALL_SHARDS, "appendOplogNote"),
    LIST_DATABASES(Kind.ALL_SHARDS, "listDatabases"),
    CURRENT_OP(Kind.ALL_SHARDS, "currentOp"),
    FSYNC(Kind.ALL_SHARDS, "fsync"),
    FSYNC_UNLOCK(Kind.ALL_SHARDS, "fsyncUnlock"),
    KILL_SESSIONS(Kind.ALL_SHARDS, "killSessions"),
    KILL_ALL_SESSIONS(Kind.ALL_SHARDS, "killAllSessions"),
    KILL_ALL_SESSIONS_BY_PATTERN(Kind.ALL_SHARDS, "killAllSessionsByPattern"),
    KILL_OP(Kind.ADMINISTRATION, "killOp"),
    UNKNOWN(Kind.ADMINISTRATION);

    /** How a router treats a command before it looks at any filter (targeting semantics §13). */
    public enum Kind {
        READ,
        WRITE,
        /** Goes where its cursor is. */
        CURSOR,
        HANDSHAKE,
        AUTHENTICATION,
        USER_MANAGEMENT,
        /** Transactions and sessions: goes to the participants, or nowhere at once. */
        SESSION,
        /** Answered by the router itself. */
        ROUTER_LOCAL,
        /** Sent to the database's primary, which may fan out itself. */
        DDL_PRIMARY,
        /** Sent to the shard of the lowest chunk. */
        LOWEST_CHUNK,
        /** Sent to every shard that owns a chunk of the collection. */
        OWNING_SHARDS,
        /** Sent to every registered shard. */
        ALL_SHARDS,
        /** Everything else: config servers, balancer, unknown. */
        ADMINISTRATION
    }

    /** A way to spell a command. */
    record Spelling(String text, CommandName command) {}

    /** By the low bits of the text's hash, so that a name is found in a message without making a string of it. */
    private static final List<List<Spelling>> SPELLINGS = spellings(256);

    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // never written after construction, never handed out
    private final String[] spellings;

    CommandName(Kind kind, String... spellings) {
        this.kind = kind;
        this.spellings = spellings;
    }

    private static List<List<Spelling>> spellings(int buckets) {
        List<List<Spelling>> all = new ArrayList<>();
        for (int i = 0; i < buckets; i++) {
            all.add(new ArrayList<>(1));
        }
        for (CommandName name : values()) {
            for (String text : name.spellings) {
                all.get(text.hashCode() & (buckets - 1)).add(new Spelling(text, name));
            }
        }
        return List.copyOf(all);
    }

    /** The spelling that the name of the present element is; a new one, allocated, if it is none of those listed. */
    static Spelling spelling(BsonCursor element) {
        List<Spelling> alike = SPELLINGS.get(element.nameHash() & (SPELLINGS.size() - 1));
        for (int i = 0; i < alike.size(); i++) {
            if (element.nameEquals(alike.get(i).text())) {
                return alike.get(i);
            }
        }
        String text = element.name();
        return new Spelling(text, unlisted(text));
    }

    /** The command spelt {@code text}, {@link #UNKNOWN} if none is. */
    public static CommandName of(String text) {
        for (Spelling spelling : SPELLINGS.get(text.hashCode() & (SPELLINGS.size() - 1))) {
            if (spelling.text().equals(text)) {
                return spelling.command();
            }
        }
        return unlisted(text);
    }

    private static CommandName unlisted(String text) {
        return text.toLowerCase(Locale.ROOT).equals("ismaster") ? IS_MASTER : UNKNOWN;
    }

    public Kind kind() {
        return kind;
    }

    /** The spelling of today, {@code unknown} for {@link #UNKNOWN}; fit for a metric label. */
    public String text() {
        return spellings.length == 0 ? "unknown" : spellings[0];
    }

    /** Whether the payload or the reply may hold credentials, so that neither is ever recorded. */
    public boolean isSensitive() {
        return kind == Kind.AUTHENTICATION || kind == Kind.USER_MANAGEMENT;
    }
}
