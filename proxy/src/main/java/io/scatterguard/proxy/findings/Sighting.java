package io.scatterguard.proxy.findings;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.policy.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command, as far as the table of shapes wants to know it: values only, of bounded size.
 *
 * @param decision what the policy said
 * @param app the client's {@code appName}; null if it has none
 * @param tests the {@code test:} tags of its comment, at most a few
 */
public record Sighting(
        Subject subject,
        Destination destination,
        Decision decision,
        @Nullable String app,
        List<String> tests) {
    /** The longest name of an application that is kept; MongoDB's servers take 128 bytes. */
    static final int MAX_APP_CHARS = 128;

    public Sighting {
        tests = List.copyOf(tests);
        app = app == null || app.length() <= MAX_APP_CHARS ? app : app.substring(0, MAX_APP_CHARS);
    }

    /**
     * What it was.
     *
     * @param shapeText the normalised command; null where there is none (a handshake, a malformed command)
     * @param shapeHash its hash, over the namespace too; null likewise
     */
    public record Subject(
            Namespace namespace,
            String command,
            @Nullable String shapeText,
            @Nullable String shapeHash) {
        /** What makes two commands the same: the shape, and where there is none, name and namespace. */
        String key() {
            return shapeHash != null ? shapeHash : command + " " + namespace.fullName();
        }
    }

    /**
     * What was said of it.
     *
     * @param action by its name in records
     * @param refused whether it was answered by the proxy
     * @param finding whether it was anything to tell people
     * @param owner whose it is; null where nothing was found
     */
    public record Decision(
            String action,
            boolean refused,
            boolean finding,
            boolean wouldRefuse,
            @Nullable Basis basis,
            @Nullable String owner) {
        /** What a {@code verdict} says; {@code owner}: whose the finding is, null where nothing was found. */
        public static Decision of(Verdict verdict, @Nullable String owner) {
            boolean named = verdict.rule() != null || verdict.exemption() != null;
            return new Decision(
                    verdict.action().text(),
                    verdict.refused(),
                    verdict.isFinding(),
                    verdict.wouldRefuse(),
                    named ? new Basis(verdict.rule(), verdict.exemption()) : null,
                    owner);
        }

        boolean exempted() {
            return basis != null && basis.exemption() != null;
        }
    }

    /** By which rule, and which exemption lifted it; null each where there was none. */
    public record Basis(@Nullable String rule, @Nullable String exemption) {}
}
