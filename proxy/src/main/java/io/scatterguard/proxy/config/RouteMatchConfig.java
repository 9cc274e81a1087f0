package io.scatterguard.proxy.config;

import java.util.List;

/**
 * What a rule asks of where a command goes and of what is odd about it, besides its shape; what is empty asks nothing.
 *
 * @param placements the placements of the whole command it matches
 * @param minShards how many shards the command must contact at least, 1..10,000; 0 asks nothing
 * @param notes the notes of which a statement must have one
 */
public record RouteMatchConfig(List<PlacementChoice> placements, int minShards, List<NoteChoice> notes) {
    /** Asks nothing. */
    public static final RouteMatchConfig NONE = new RouteMatchConfig(List.of(), 0, List.of());

    private static final int MAX_MIN_SHARDS = 10_000;

    /** A placement, as in {@code Route}. */
    public enum PlacementChoice implements Choice {
        UNSHARDED("unsharded"),
        ONE_SHARD("oneShard"),
        MANY_SHARDS("manyShards"),
        ALL_SHARDS("allShards");

        private final String text;

        PlacementChoice(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** A note on a command, as in the audit log. */
    public enum NoteChoice implements Choice {
        HEX_STRING_FOR_OBJECT_ID("hexStringForObjectId"),
        NUMBER_FOR_STRING("numberForString"),
        TYPE_UNLIKE_KEY("typeUnlikeKey"),
        KEY_EQUALS_NULL("keyEqualsNull"),
        KEY_UNDER_WRONG_PATH("keyUnderWrongPath"),
        UNSCOPED_OR_BRANCH("unscopedOrBranch"),
        MATCH_AFTER_LIMIT("matchAfterLimit"),
        KEY_FIELD_TWICE("keyFieldTwice"),
        REPLACEMENT_LACKS_KEY("replacementLacksKey"),
        ID_ONLY_WRITE("idOnlyWrite");

        private final String text;

        NoteChoice(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public RouteMatchConfig {
        placements = List.copyOf(placements);
        notes = List.copyOf(notes);
        new Requirements()
                .that(
                        minShards >= 0 && minShards <= MAX_MIN_SHARDS,
                        "minShards",
                        minShards + " (expected: 1.." + MAX_MIN_SHARDS + ")")
                .check();
    }

    /** Whether nothing is asked. */
    public boolean isNone() {
        return equals(NONE);
    }
}
