package io.scatterguard.proxy.admin;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.findings.KnownShape;
import io.scatterguard.proxy.policy.Owners;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which shapes are asked for.
 *
 * @param limit how many at most
 * @param namespace {@code database.collection}, or a database; null for all
 * @param owner null for all
 * @param since seen at that time or later; null for all
 */
record ShapeQuery(
        int limit,
        @Nullable String namespace,
        @Nullable String owner,
        @Nullable Instant since) {
    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = 1_000;

    static ShapeQuery of(Question question) throws BadQuestionException {
        return new ShapeQuery(
                question.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT),
                question.parameter("namespace"),
                question.parameter("owner"),
                since(question.parameter("since")));
    }

    private static @Nullable Instant since(@Nullable String text) throws BadQuestionException {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            throw new BadQuestionException("since: no time (expected: UTC, like 2026-12-01T10:20:30Z)");
        }
    }

    /** Whether {@code shape} is asked for, whose owner is that of {@code opinion}. */
    boolean matches(KnownShape shape, KnownShape.Opinion opinion) {
        Namespace its = shape.subject().namespace();
        boolean there = namespace == null
                || namespace.equals(its.fullName())
                || (namespace.equals(its.database()) && !namespace.contains("."));
        return there
                && (owner == null || owner.equals(owner(opinion)))
                && (since == null || !shape.period().last().isBefore(since));
    }

    /** Whose a shape is; what was no finding has nobody's. */
    private static String owner(KnownShape.Opinion opinion) {
        return Objects.requireNonNullElse(opinion.decision().owner(), Owners.UNOWNED);
    }
}
