package io.scatterguard.proxy.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /readyz}: whether the proxy can serve, and what is wrong with it. */
public final class ReadyEndpoint implements Endpoint {
    /** Looks whether something is wrong. Called whenever somebody asks, on a thread of the HTTP server. */
    @FunctionalInterface
    public interface Check {
        /** What is wrong now; none if nothing is. */
        List<Cause> causes();
    }

    /**
     * Something that is wrong.
     *
     * @param cause one word, described in {@code docs/http.md}
     * @param blocking whether the proxy is not ready because of it
     * @param listener the listener's bind address; null for what concerns all
     */
    public record Cause(
            String cause, boolean blocking, @Nullable String listener) {
        /** One that makes the proxy unfit. */
        public static Cause blocking(String cause) {
            return new Cause(cause, true, null);
        }

        /** One to be seen. */
        public static Cause notice(String cause) {
            return new Cause(cause, false, null);
        }
    }

    private record Readiness(boolean ready, List<Cause> causes) {}

    private final List<Check> checks;

    public ReadyEndpoint(List<Check> checks) {
        this.checks = List.copyOf(checks);
    }

    @Override
    public String path() {
        return "/readyz";
    }

    @Override
    public Access access() {
        return Access.OPEN;
    }

    @Override
    public Answer answer(Question question) {
        List<Cause> causes =
                checks.stream().flatMap(check -> check.causes().stream()).toList();
        boolean ready = causes.stream().noneMatch(Cause::blocking);
        return Answer.json(ready ? Answer.OK : Answer.UNAVAILABLE, new Readiness(ready, causes));
    }
}
