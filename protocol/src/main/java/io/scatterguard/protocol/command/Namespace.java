package io.scatterguard.protocol.command;

/**
 * A database and a collection in it.
 *
 * @param database the database, never with a dot
 * @param collection the collection; empty where a command names only a database
 */
public record Namespace(String database, String collection) {
    /** The namespace in {@code db.coll}; without a dot, a database alone. */
    public static Namespace parse(String fullName) {
        int dot = fullName.indexOf('.');
        return dot < 0
                ? new Namespace(fullName, "")
                : new Namespace(fullName.substring(0, dot), fullName.substring(dot + 1));
    }

    /** {@code db.coll}, or {@code db} where there is no collection. */
    public String fullName() {
        return collection.isEmpty() ? database : database + "." + collection;
    }

    /** Whether the database is one of the server's own: {@code admin}, {@code config}, {@code local}. */
    public boolean isAdministrative() {
        return database.equals("admin") || database.equals("config") || database.equals("local");
    }

    @Override
    public String toString() {
        return fullName();
    }
}
