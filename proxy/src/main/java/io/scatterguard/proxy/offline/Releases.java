package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.routing.RouterRelease;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The releases a vector holds for, as its {@code versions} says: a list of ranges with commas, each {@code 6.3},
 * {@code 7.0-8.0} (both ends included), {@code 5.1-7.x}, {@code <7.0}, {@code <=7.0}, {@code >7.0} or {@code >=7.1}; what
 * follows a range after a space is a remark. Patch levels are read and left out: a router's release is known by its first
 * two numbers, so that {@code 9.0.2} stands for 9.0.
 */
public record Releases(List<Range> ranges) {
    /** The feature releases whose rules are described, oldest first. */
    static final List<RouterRelease> KNOWN = List.of(
            new RouterRelease(4, 4),
            new RouterRelease(5, 0),
            new RouterRelease(5, 1),
            new RouterRelease(5, 2),
            new RouterRelease(5, 3),
            new RouterRelease(6, 0),
            new RouterRelease(6, 1),
            new RouterRelease(6, 2),
            new RouterRelease(6, 3),
            new RouterRelease(7, 0),
            new RouterRelease(7, 1),
            new RouterRelease(7, 2),
            new RouterRelease(7, 3),
            new RouterRelease(8, 0),
            new RouterRelease(8, 1),
            new RouterRelease(8, 2),
            new RouterRelease(8, 3),
            new RouterRelease(9, 0));

    private static final RouterRelease OLDEST = new RouterRelease(0, 0);
    private static final RouterRelease NEWEST = new RouterRelease(999, 999);
    private static final RouterRelease MEASURED = new RouterRelease(6, 3);
    private static final Pattern RANGE =
            Pattern.compile("(?<op><=|>=|<|>)?\\s*(?<major>\\d{1,3})\\.(?<minor>\\d{1,3}|x)(?:\\.\\d+)?"
                    + "(?:-(?<toMajor>\\d{1,3})\\.(?<toMinor>\\d{1,3}|x)(?:\\.\\d+)?)?(?:\\s.*)?");

    /** Releases from {@code low} to {@code high}, both included. */
    record Range(RouterRelease low, RouterRelease high) {
        boolean contains(RouterRelease release) {
            return low.compareTo(release) <= 0 && release.compareTo(high) <= 0;
        }
    }

    public Releases {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads {@code versions}.
     *
     * @throws LineFormatException if a range cannot be read, or holds for no release whose rules are described
     */
    public static Releases parse(String versions) {
        List<Range> ranges = new ArrayList<>(1);
        for (String part : versions.split(",", -1)) {
            Range range = range(part.strip());
            if (KNOWN.stream().noneMatch(range::contains)) {
                throw new LineFormatException(
                        "versions: \"" + versions + "\": no described release is in it (described: " + KNOWN.get(0)
                                + " to " + KNOWN.get(KNOWN.size() - 1) + ")");
            }
            ranges.add(range);
        }
        return new Releases(ranges);
    }

    private static Range range(String text) {
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches() || (matcher.group("op") != null && matcher.group("toMajor") != null)) {
            throw new LineFormatException("versions: \"" + text
                    + "\" (expected: ranges of releases with commas, like \"<7.0\", \"7.0-8.3\" or \">=9.0\")");
        }
        RouterRelease low = end(matcher.group("major"), matcher.group("minor"), 0);
        RouterRelease high = end(matcher.group("major"), matcher.group("minor"), 999);
        if (matcher.group("toMajor") != null) {
            return new Range(low, end(matcher.group("toMajor"), matcher.group("toMinor"), 999));
        }
        String operator = matcher.group("op");
        return switch (operator == null ? "" : operator) {
            case "<" -> new Range(OLDEST, new RouterRelease(low.major(), low.minor() - 1));
            case "<=" -> new Range(OLDEST, high);
            case ">" -> new Range(new RouterRelease(high.major(), high.minor() + 1), NEWEST);
            case ">=" -> new Range(low, NEWEST);
            default -> new Range(low, high);
        };
    }

    private static RouterRelease end(String major, String minor, int ofAny) {
        return new RouterRelease(Integer.parseInt(major), minor.equals("x") ? ofAny : Integer.parseInt(minor));
    }

    /** Whether {@code release} is in one of the ranges. */
    public boolean contains(RouterRelease release) {
        return ranges.stream().anyMatch(range -> range.contains(release));
    }

    /**
     * The releases to try: 6.3, on which most was measured, where it is among them; then of each range the oldest and the
     * newest described release.
     */
    public List<RouterRelease> representatives() {
        Set<RouterRelease> representatives = new LinkedHashSet<>();
        if (contains(MEASURED)) {
            representatives.add(MEASURED);
        }
        for (Range range : ranges) {
            List<RouterRelease> inside = KNOWN.stream().filter(range::contains).toList();
            representatives.add(inside.get(0));
            representatives.add(inside.get(inside.size() - 1));
        }
        return List.copyOf(representatives);
    }
}
