package io.scatterguard.tests.support;

import java.util.List;

/**
 * Somebody who may authenticate with a {@link ScriptedMongos}.
 *
 * @param database where the user was made: {@code authSource}
 * @param mechanisms what {@code saslSupportedMechs} answers, for instance {@code SCRAM-SHA-256}
 */
public record ScriptedUser(String name, String password, String database, List<String> mechanisms) {
    public ScriptedUser {
        mechanisms = List.copyOf(mechanisms);
    }

    /** A user of {@code admin} with both kinds of SCRAM. */
    public static ScriptedUser of(String name, String password) {
        return new ScriptedUser(name, password, "admin", List.of("SCRAM-SHA-1", "SCRAM-SHA-256"));
    }

    public ScriptedUser with(String... only) {
        return new ScriptedUser(name, password, database, List.of(only));
    }

    boolean isCalled(String otherName, String otherDatabase) {
        return name.equals(otherName) && database.equals(otherDatabase);
    }
}
