package io.scatterguard.proxy.sources;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** What is found in sources: declarations, and what looks like one and cannot be read. */
final class Findings {
    private final String database;
    private final Shards shards;
    private final Map<Namespace, Declaration> declarations = new LinkedHashMap<>();
    private final List<String> unreadable = new ArrayList<>();

    /**
     * @param database where a declaration names none
     * @param shards on how many each collection is declared
     */
    Findings(String database, Shards shards) {
        this.database = database;
        this.shards = shards;
    }

    /**
     * One field of a key.
     *
     * @param name its path in the documents
     */
    record KeyField(String name, boolean hashed) {}

    /**
     * What a declaration says of its collection.
     *
     * @param database null where it does not say
     */
    record Target(@Nullable String database, String collection, boolean unique) {
        static Target of(String collection) {
            return new Target(null, collection, false);
        }
    }

    /** Adds a declaration that stands at {@code origin}. */
    void declare(String origin, Target target, List<KeyField> key) {
        BsonDocument document = new BsonDocument();
        for (KeyField field : key) {
            if (field.name().isEmpty() || document.containsKey(field.name())) {
                unreadable(origin, "a field of the key without a name, or twice");
                return;
            }
            document.append(field.name(), field.hashed() ? new BsonString("hashed") : new BsonInt32(1));
        }
        try {
            String db = target.database() == null ? database : target.database();
            if (target.collection().isEmpty() || db.isEmpty()) {
                throw new IllegalArgumentException("a collection or database without a name");
            }
            Namespace namespace = new Namespace(db, target.collection());
            CollectionRule rule =
                    new CollectionRule(namespace, document, target.unique(), null, shards, null, List.of());
            Declaration earlier = declarations.putIfAbsent(namespace, new Declaration(rule, origin));
            if (earlier != null && !sameKey(earlier.rule().key(), document)) {
                unreadable(
                        origin,
                        namespace + " is declared with another key in " + earlier.origin() + " (that one was written)");
            }
        } catch (IllegalArgumentException e) {
            unreadable(origin, String.valueOf(e.getMessage()));
        }
    }

    private static boolean sameKey(BsonDocument one, BsonDocument other) {
        return List.copyOf(one.entrySet()).equals(List.copyOf(other.entrySet()));
    }

    /** Reports what looks like a declaration and cannot be read. */
    void unreadable(String origin, String reason) {
        unreadable.add(origin + ": " + reason);
    }

    List<Declaration> declarations() {
        return List.copyOf(declarations.values());
    }

    List<String> unreadable() {
        return List.copyOf(unreadable);
    }
}
