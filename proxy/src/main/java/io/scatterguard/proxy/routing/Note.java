package io.scatterguard.proxy.routing;

/**
 * Something about a command that is legal but probably a mistake. It speaks of fields of the shard key and of types, and
 * holds nothing that the command wrote.
 *
 * @param name what kind of mistake; stable
 * @param statement the position in the batch, from 0; 0 for a command that is one statement
 * @param field the field of the shard key that is concerned
 * @param problem what is probably wrong, the first clause of {@link #sentence()}
 * @param fix what to do about it, a short imperative clause
 */
public record Note(Name name, int statement, String field, String problem, String fix) {
    /**
     * The kinds of notes; what is nearer to the cause comes first. Their {@link #text()} is part of the audit log's
     * format: a name may be added, none renamed.
     */
    public enum Name {
        /** A string of 24 hexadecimal digits where the chunk bounds are ObjectIds. */
        HEX_STRING_FOR_OBJECT_ID("hexStringForObjectId"),
        /** A number where the chunk bounds are strings. */
        NUMBER_FOR_STRING("numberForString"),
        /** Any other type than those of the chunk bounds. */
        TYPE_UNLIKE_KEY("typeUnlikeKey"),
        /** The key field is compared with null, and no chunk bound is null. */
        KEY_EQUALS_NULL("keyEqualsNull"),
        /** A field of the same name is given under another parent, and the key field is not given. */
        KEY_UNDER_WRONG_PATH("keyUnderWrongPath"),
        /** Some branches of an {@code $or} constrain the first key field and some do not. */
        UNSCOPED_OR_BRANCH("unscopedOrBranch"),
        /** A {@code $match} on the first key field stands behind a {@code $limit}, {@code $skip} or {@code $sample}. */
        MATCH_AFTER_LIMIT("matchAfterLimit"),
        /** Two equalities on the key field in one conjunction. */
        KEY_FIELD_TWICE("keyFieldTwice"),
        /** A replacement document without the key field. */
        REPLACEMENT_LACKS_KEY("replacementLacksKey"),
        /** A write whose filter gives {@code _id} and nothing of the key. */
        ID_ONLY_WRITE("idOnlyWrite");

        private final String text;

        Name(String text) {
            this.text = text;
        }

        /** As it stands in the audit log and in a refusal, for instance {@code keyEqualsNull}. */
        public String text() {
            return text;
        }
    }

    /** One sentence for people, with the fix. */
    public String sentence() {
        return problem + "; " + fix + ".";
    }
}
