package io.scatterguard.proxy.routing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The release of the router whose rules are applied, for instance 6.3. */
public record RouterRelease(int major, int minor) implements Comparable<RouterRelease> {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(?:[.\\-].*)?");

    /** The release whose rules are used as long as nothing is known of the router. */
    public static final RouterRelease DEFAULT = new RouterRelease(8, 0);

    /** The newest release whose rules are known; a newer one is taken to have the same. */
    public static final RouterRelease NEWEST_KNOWN = new RouterRelease(9, 0);

    /**
     * The release in a {@code buildInfo.version}, for instance {@code 6.3.0-rc1}.
     *
     * @throws IllegalArgumentException if it does not begin with {@code major.minor}
     */
    public static RouterRelease parse(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("router version: " + version + " (expected: major.minor, like 6.0)");
        }
        return new RouterRelease(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /**
     * The release behind a {@code maxWireVersion} in a {@code hello} reply. Each feature release has a number of its own
     * (server source {@code wire_version.h}): 4.4 is 9, 5.0 is 13, 6.0 is 17, 7.0 is 21, 8.0 is 25, 9.0 is 29. A larger one
     * gives a release {@link #isBeyondKnown() beyond those known}, whose name is a guess.
     */
    public static RouterRelease ofWireVersion(int maxWireVersion) {
        if (maxWireVersion < 13) {
            return new RouterRelease(4, 4);
        }
        int sinceFive = maxWireVersion - 13;
        return new RouterRelease(5 + sinceFive / 4, sinceFive % 4);
    }

    /** Whether nothing is known of its rules, so that those of {@link #NEWEST_KNOWN} are applied. */
    public boolean isBeyondKnown() {
        return compareTo(NEWEST_KNOWN) > 0;
    }

    public boolean atLeast(int otherMajor, int otherMinor) {
        return major != otherMajor ? major > otherMajor : minor >= otherMinor;
    }

    @Override
    public int compareTo(RouterRelease other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
