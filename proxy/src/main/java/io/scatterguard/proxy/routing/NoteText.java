package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.TypeClass;
import io.scatterguard.proxy.routing.Note.Name;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts notes into words. */
final class NoteText {
    private NoteText() {}

    /** A note that is not about types. */
    static Note of(Name name, int statement, String field) {
        String quoted = '"' + field + '"';
        return new Note(name, statement, field, problem(name, "the shard key field " + quoted), fix(name, quoted));
    }

    private static String problem(Name name, String field) {
        return switch (name) {
            case KEY_EQUALS_NULL ->
                "The command compares " + field + " with null, as it does when a variable was never set";
            case KEY_UNDER_WRONG_PATH -> "A field called like " + field + " is given, but under another path";
            case UNSCOPED_OR_BRANCH -> "Some branches of the $or constrain " + field + " and some do not";
            case MATCH_AFTER_LIMIT ->
                "The $match on " + field + " stands behind a $limit, $skip or $sample, over which it cannot move";
            case KEY_FIELD_TWICE -> "Two equalities concern " + field + ", which some routers then take for a range";
            case REPLACEMENT_LACKS_KEY -> "The replacement leaves out " + field + ", which sets it to null";
            case ID_ONLY_WRITE -> "The write gives _id but not " + field + ", so that its shard is not known";
            case HEX_STRING_FOR_OBJECT_ID, NUMBER_FOR_STRING, TYPE_UNLIKE_KEY -> throw untyped(name);
        };
    }

    private static String fix(Name name, String field) {
        return switch (name) {
            case KEY_EQUALS_NULL -> "give " + field + " the value that was meant";
            case KEY_UNDER_WRONG_PATH -> "write " + field + ", the whole path";
            case UNSCOPED_OR_BRANCH -> "constrain " + field + " in every branch, or beside the $or";
            case MATCH_AFTER_LIMIT -> "put the $match on " + field + " in front of it";
            case KEY_FIELD_TWICE -> "give " + field + " once";
            case REPLACEMENT_LACKS_KEY -> "put " + field + " into the replacement";
            case ID_ONLY_WRITE -> "add equality on " + field;
            case HEX_STRING_FOR_OBJECT_ID, NUMBER_FOR_STRING, TYPE_UNLIKE_KEY -> throw untyped(name);
        };
    }

    private static IllegalArgumentException untyped(Name name) {
        return new IllegalArgumentException(
                name.text() + ": no types given (expected: a note that is not about types)");
    }

    /**
     * A note on types.
     *
     * @param held the types of the chunk bounds; at least one
     * @param given the types in the command; at least one, none of {@code held}
     */
    static Note typed(Name name, int statement, String field, Set<TypeClass> held, Set<TypeClass> given) {
        return new Note(
                name,
                statement,
                field,
                "The shard key field \"" + field + "\" is compared with " + types(given)
                        + ", but its chunk bounds are of type " + types(held),
                "pass a value of type " + types(held));
    }

    private static String types(Set<TypeClass> types) {
        return types.stream().map(NoteText::alias).collect(Collectors.joining(" or "));
    }

    /** As {@code $type} calls it. */
    private static String alias(TypeClass type) {
        return switch (type) {
            case MIN_KEY -> "minKey";
            case UNDEFINED -> "undefined";
            case NULL -> "null";
            case NUMBER -> "number";
            case STRING -> "string";
            case OBJECT -> "object";
            case ARRAY -> "array";
            case BINARY -> "binData";
            case OBJECT_ID -> "objectId";
            case BOOL -> "bool";
            case DATE -> "date";
            case TIMESTAMP -> "timestamp";
            case REGEX -> "regex";
            case DB_POINTER -> "dbPointer";
            case CODE -> "javascript";
            case CODE_WITH_SCOPE -> "javascriptWithScope";
            case MAX_KEY -> "maxKey";
        };
    }
}
