package io.scatterguard.proxy.admin;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /api/v1/explain}: why a command would go where it goes, and what the policy would do with it. It sends nothing
 * anywhere and changes nothing, so that whoever may look may ask; few at a time, for a large command takes memory.
 */
public final class ExplainEndpoint implements Endpoint {
    /** The largest command. */
    static final int MAX_COMMAND_BYTES = 1 << 20;

    /** How many are explained at one time. */
    static final int MAX_AT_ONCE = 2;

    /**
     * What is asked.
     *
     * @param command in Extended JSON
     * @param db the database, where the command names none
     * @param listener whose policy and router are asked, as configured; null for the first
     * @param routerVersion the router's release; null for the one that the listener knows
     * @param appName of the client that would send it
     * @param user likewise
     */
    public record Case(
            String command,
            @Nullable String db,
            @Nullable String listener,
            @Nullable String routerVersion,
            @Nullable String appName,
            @Nullable String user) {}

    /** Explains commands by what a running proxy knows. */
    @FunctionalInterface
    public interface Explanations {
        /**
         * The explanation, as JSON.
         *
         * @throws BadQuestionException if something about the case is wrong; the message says what and where
         */
        String of(Case asked) throws BadQuestionException;
    }

    private final Explanations explanations;
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);

    public ExplainEndpoint(Explanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public Method method() {
        return Method.POST;
    }

    @Override
    public String path() {
        return "/api/v1/explain";
    }

    @Override
    public int maxBodyBytes() {
        return MAX_COMMAND_BYTES;
    }

    @Override
    public Answer answer(Question question) throws BadQuestionException {
        Case asked = new Case(
                question.body(),
                question.parameter("db"),
                question.parameter("listener"),
                question.parameter("routerVersion"),
                question.parameter("appName"),
                question.parameter("user"));
        // Only now: whoever sends a body slowly must not keep others from asking.
        if (!places.tryAcquire()) {
            return Answer.error(
                    Answer.UNAVAILABLE, MAX_AT_ONCE + " commands are being explained (expected: asked again later)");
        }
        try {
            return new Answer(Answer.OK, Answer.JSON, explanations.of(asked));
        } finally {
            places.release();
        }
    }
}
