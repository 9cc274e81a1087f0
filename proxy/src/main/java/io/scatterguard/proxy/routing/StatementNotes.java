package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.TypeClass;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.KeyPredicates.Given;
import io.scatterguard.proxy.routing.Note.Name;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** Makes the notes on one statement after another of a command on one sharded collection. */
final class StatementNotes {
    private static final String ID = "_id";
    /** Each costs one walk over the filter. */
    private static final int MAX_LOOKUPS = 8;
    /** Names that stand under many parents and mean another document each time. */
    private static final Set<String> AMBIGUOUS = Set.of(ID, "id");

    private final Route route;
    private final RoutingTable table;
    private final ShardKey key;
    private final Consumer<Note> out;

    StatementNotes(Route route, RoutingTable table, Consumer<Note> out) {
        this.route = route;
        this.table = table;
        this.key = table.shardKey();
        this.out = out;
    }

    void look(NotedStatement statement) {
        for (int i = 0; i < key.size(); i++) {
            field(statement, i, key.field(i).path());
        }
        firstField(statement, key.field(0).path());
        BsonView replacement = statement.replacement();
        if (replacement != null) {
            replacement(statement.index(), replacement);
        }
        if (statement.write() && isByIdAlone(statement)) {
            add(Name.ID_ONLY_WRITE, statement.index(), key.field(0).path());
        }
    }

    private void add(Name name, int statement, String field) {
        out.accept(NoteText.of(name, statement, field));
    }

    private void field(NotedStatement statement, int field, String path) {
        Filter filter = statement.filter();
        if (equalities(filter, path) > 1) {
            add(Name.KEY_FIELD_TWICE, statement.index(), path);
        }
        boolean isNull = KeyPredicates.conjunction(filter)
                .anyMatch(member -> member instanceof Compare compare
                        && compare.op() == Filter.Op.EQ
                        && compare.path().equals(path)
                        && compare.value().type() == BsonType.NULL);
        if (isNull && !table.typesOf(field).contains(TypeClass.NULL)) {
            add(Name.KEY_EQUALS_NULL, statement.index(), path);
        }
        types(statement.index(), field, path, KeyPredicates.given(filter, path));
        if (isUnderWrongPath(filter, field, path)) {
            add(Name.KEY_UNDER_WRONG_PATH, statement.index(), path);
        }
    }

    private static long equalities(Filter filter, String path) {
        return KeyPredicates.conjunction(filter)
                .filter(member -> KeyPredicates.isEqualityOn(member, path))
                .count();
    }

    /** One value of a fitting type is enough to say nothing: a list of both types is meant that way. */
    private void types(int statement, int field, String path, Given given) {
        if (given.types().isEmpty() || !isUnlike(given, field)) {
            return;
        }
        Set<TypeClass> types = heldValues(field);
        Name name = Name.TYPE_UNLIKE_KEY;
        if (given.isObjectIdText() && types.equals(Set.of(TypeClass.OBJECT_ID))) {
            name = Name.HEX_STRING_FOR_OBJECT_ID;
        } else if (given.types().equals(Set.of(TypeClass.NUMBER)) && types.equals(Set.of(TypeClass.STRING))) {
            name = Name.NUMBER_FOR_STRING;
        }
        out.accept(NoteText.typed(name, statement, path, types, given.types()));
    }

    private boolean isUnlike(Given given, int field) {
        Set<TypeClass> types = heldValues(field);
        return !types.isEmpty() && Collections.disjoint(types, given.types());
    }

    /** A null bound stands for documents without the field. */
    private Set<TypeClass> heldValues(int field) {
        Set<TypeClass> types = EnumSet.noneOf(TypeClass.class);
        types.addAll(table.typesOf(field));
        types.remove(TypeClass.NULL);
        types.remove(TypeClass.UNDEFINED);
        return types;
    }

    /** The key field is not spoken of, and a look-up by values that could be its own stands under another parent. */
    private boolean isUnderWrongPath(Filter filter, int field, String path) {
        String name = lastComponent(path);
        if (AMBIGUOUS.contains(name) || Mentions.of(filter, path)) {
            return false;
        }
        return lookups(filter, name).stream().anyMatch(other -> !isUnlike(KeyPredicates.given(filter, other), field));
    }

    /** The paths of the first few. */
    private static Set<String> lookups(Filter filter, String name) {
        Set<String> paths = new HashSet<>();
        collectLookups(filter, name, paths);
        return paths;
    }

    private static void collectLookups(Filter filter, String name, Set<String> paths) {
        if (filter instanceof Filter.And || filter instanceof Or) {
            Filters.members(filter).forEach(member -> collectLookups(member, name, paths));
        } else if (paths.size() < MAX_LOOKUPS
                && KeyPredicates.isLookup(filter)
                && lastComponent(filter.path()).equals(name)) {
            paths.add(filter.path());
        }
    }

    private static String lastComponent(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private void firstField(NotedStatement statement, String path) {
        if (KeyPredicates.narrows(statement.filter(), path)) {
            return;
        }
        boolean partly = KeyPredicates.conjunction(statement.filter())
                .anyMatch(member -> member instanceof Or or
                        && or.members().stream().anyMatch(branch -> KeyPredicates.narrows(branch, path)));
        if (partly) {
            add(Name.UNSCOPED_OR_BRANCH, statement.index(), path);
        }
        Filter withoutLimits = statement.withoutLimits();
        if (withoutLimits != null && KeyPredicates.narrows(withoutLimits, path)) {
            add(Name.MATCH_AFTER_LIMIT, statement.index(), path);
        }
    }

    /** The {@code _id} is kept where a replacement leaves it out. */
    private void replacement(int statement, BsonView replacement) {
        for (ShardKey.Field field : key.fields()) {
            BsonValueView value = DocumentKey.at(replacement, field.path());
            if (value == null && !isId(field.path())) {
                add(Name.REPLACEMENT_LACKS_KEY, statement, field.path());
                return;
            }
        }
    }

    /** A replacement that holds the key may choose the shard by itself: then the statement is no scatter. */
    private boolean isByIdAlone(NotedStatement statement) {
        boolean keyedById = isId(key.field(0).path());
        if (keyedById || shape(statement.index()) == Shape.SINGLE_SHARD) {
            return false;
        }
        boolean byId = KeyPredicates.conjunction(statement.filter())
                .anyMatch(member -> member.path().equals(ID) && KeyPredicates.isLookup(member));
        return byId
                && key.fields().stream()
                        .noneMatch(field -> !isId(field.path()) && Mentions.of(statement.filter(), field.path()));
    }

    private @Nullable Shape shape(int statement) {
        List<StatementRoute> statements = route.statements();
        return statement < statements.size() ? statements.get(statement).shape() : route.shape();
    }

    private static boolean isId(String path) {
        return path.equals(ID) || KeyPredicates.isBelow(path, ID);
    }
}
