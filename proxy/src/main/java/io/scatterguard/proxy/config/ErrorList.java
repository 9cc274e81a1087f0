package io.scatterguard.proxy.config;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * The errors of one file, in the order in which they are found: so many as a person may read, as one mistake can be in every
 * line. One more at the end says that there are others.
 */
final class ErrorList extends AbstractList<ConfigError> {
    /** The most that are listed. */
    static final int MAX = 200;

    private static final ConfigError OTHERS =
            new ConfigError("", Integer.MAX_VALUE, "more errors than the " + MAX + " listed (repair those first)");

    private final List<ConfigError> errors = new ArrayList<>();

    @Override
    public boolean add(ConfigError error) {
        if (errors.size() < MAX) {
            errors.add(error);
        } else if (errors.size() == MAX) {
            errors.add(OTHERS);
        }
        return true;
    }

    @Override
    public ConfigError get(int index) {
        return errors.get(index);
    }

    @Override
    public int size() {
        return errors.size();
    }
}
