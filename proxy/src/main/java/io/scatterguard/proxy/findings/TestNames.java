package io.scatterguard.proxy.findings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names of tests that send a command, as the command and its client give them: words that begin with {@code test:}. */
public final class TestNames {
    private static final String TAG = "test:";

    private TestNames() {}

    /**
     * Those in the recognised parts of a comment, or if it names none, in the application's name.
     *
     * @param comment as an audit record has it
     */
    public static List<String> of(@Nullable String comment, @Nullable String appName) {
        List<String> named = in(comment);
        return named.isEmpty() ? in(appName) : named;
    }

    private static List<String> in(@Nullable String text) {
        if (text == null || !text.contains(TAG)) {
            return List.of();
        }
        List<String> names = new ArrayList<>(1);
        for (String word : text.split(" ", -1)) {
            if (word.startsWith(TAG) && word.length() > TAG.length()) {
                names.add(word.substring(TAG.length()));
            }
        }
        return names;
    }
}
