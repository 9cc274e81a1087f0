package io.scatterguard.proxy.config;

import java.time.LocalDate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query shape that is known and not refused, though the policy would.
 *
 * @param id the shape's hash, as on records and refusals
 * @param namespace {@code db.coll}, for people; null if not given
 * @param shape the shape's text, for people; null if not given
 * @param count how often it was seen, for people; 0 if not given
 * @param lastSeen the last day it was seen, in UTC, for people; null if not given
 * @param owner whom to ask, for people; null if not given
 * @param until the last day it is let pass, in UTC; null for no end
 */
public record BaselineEntry(
        String id,
        @Nullable String namespace,
        @Nullable String shape,
        long count,
        @Nullable LocalDate lastSeen,
        @Nullable String owner,
        @Nullable LocalDate until) {
    /** What an id looks like. */
    public static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /** How long the text of a shape may be, in characters: as long as in an audit record. */
    public static final int MAX_SHAPE_CHARS = 2_048;

    /** How long a namespace may be, in characters: as in an audit record, 256 for each part and the dot. */
    public static final int MAX_NAMESPACE_CHARS = 513;

    /** What an id is expected to be, for messages. */
    public static final String ID_EXPECTED = "the shape's hash, 16 hexadecimal digits";

    public BaselineEntry {
        new Requirements()
                .that(ID.matcher(id).matches(), "id", Quoting.quoted(id) + " (expected: " + ID_EXPECTED + ")")
                .that(count >= 0, "count", count + " (expected: 0 or more)")
                .line("namespace", namespace, MAX_NAMESPACE_CHARS)
                .line("shape", shape, MAX_SHAPE_CHARS)
                .line("owner", owner)
                .check();
    }

    /** The same shape with another owner and end. */
    public BaselineEntry accepted(@Nullable String by, @Nullable LocalDate end) {
        return new BaselineEntry(id, namespace, shape, count, lastSeen, by, end);
    }
}
