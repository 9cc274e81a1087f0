package io.scatterguard.proxy.catalog;

import com.mongodb.MongoCommandException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonDocument;

/**
 * Reads the views of every database, one query each, and remembers them: a database that cannot be read, or not in time,
 * keeps its earlier ones. What the time does not suffice for is read first the next time. Those of a database that is not in
 * use are not read again. Thread-safe.
 */
final class ViewLoader {
    /** How long one refresh, also the first, reads views; the query under way is not broken off. */
    static final Duration MAX_TIME = Duration.ofSeconds(5);

    private final CatalogSource source;
    private final Clock clock;
    private final Map<String, List<BsonDocument>> byDatabase = new TreeMap<>();
    private String lastRead = "";
    private List<BsonDocument> resolvedFrom = List.of();
    /** Databases that were in use, and whose views could not be read since. */
    private final Set<String> due = new HashSet<>();

    private volatile ViewResolver.Resolved resolved = ViewResolver.Resolved.NONE;

    ViewLoader(CatalogSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /**
     * What is known of the views: the same object as before if none has changed. What was read later is never in an earlier
     * answer; does not wait for what is being read.
     */
    ViewResolver.Resolved latest() {
        return resolved;
    }

    /**
     * Reads the views of {@code databases}.
     *
     * @param used the databases whose views are read, besides those that were never read
     * @param problems takes what could not be read
     */
    synchronized void load(Set<String> databases, Set<String> used, List<CatalogProblem> problems) {
        if (!source.readsViews()) {
            return;
        }
        byDatabase.keySet().retainAll(databases);
        due.addAll(used);
        due.retainAll(databases);
        Instant end = clock.instant().plus(MAX_TIME);
        for (String database : inTurn(databases)) {
            if (byDatabase.containsKey(database) && !due.contains(database)) {
                continue;
            }
            if (clock.instant().isAfter(end)) {
                problems.add(new CatalogProblem(
                        "system.views",
                        "views: " + MAX_TIME.toSeconds() + " s do not suffice to read those of every database; the rest"
                                + " is read by the refreshes that follow (expected: one short query a database)"));
                break;
            }
            read(database, problems);
            lastRead = database;
        }
        resolve();
    }

    /** Reads the views of one database again. Throws what the source throws; then the next refresh does so. */
    synchronized void reload(String database) {
        if (source.readsViews()) {
            due.add(database);
            byDatabase.put(database, List.copyOf(source.views(database)));
            due.remove(database);
            resolve();
        }
    }

    private void resolve() {
        List<BsonDocument> documents =
                byDatabase.values().stream().flatMap(List::stream).toList();
        if (!documents.equals(resolvedFrom)) {
            resolved = ViewResolver.resolve(documents);
            resolvedFrom = documents;
        }
    }

    /** In the order of their names, beginning after the one that was read last. */
    private List<String> inTurn(Set<String> databases) {
        TreeSet<String> ordered = new TreeSet<>(databases);
        List<String> inTurn = new ArrayList<>(ordered.tailSet(lastRead, false));
        inTurn.addAll(ordered.headSet(lastRead, true));
        return inTurn;
    }

    private void read(String database, List<CatalogProblem> problems) {
        try {
            byDatabase.put(database, List.copyOf(source.views(database)));
            due.remove(database);
        } catch (RuntimeException e) {
            problems.add(new CatalogProblem(
                    database,
                    database + ": its views could not be read: " + name(e)
                            + " (expected: the privilege listCollections;"
                            + (byDatabase.containsKey(database)
                                    ? " those read earlier are used on)"
                                    : " until then they count as unsharded collections)")));
        }
    }

    /** A message of the driver may quote hosts and users. */
    static String name(RuntimeException failure) {
        if (failure instanceof MongoCommandException command) {
            return command.getErrorCodeName() + " (" + command.getErrorCode() + ")";
        }
        return failure instanceof CatalogException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName();
    }
}
