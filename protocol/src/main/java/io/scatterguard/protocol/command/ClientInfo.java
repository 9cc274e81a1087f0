package io.scatterguard.protocol.command;

import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a client connection, as far as its handshake and its authentication said.
 *
 * @param address {@code host:port}
 * @param appName {@code client.application.name} of the handshake
 * @param driver name and version, for instance {@code nodejs|mongosh 7.9.0|2.12.0}
 * @param os name or type of the operating system
 * @param user the user who authenticated, without its database; null before, or where it cannot be known
 * @param userDatabase the database the user authenticated against; null before
 */
public record ClientInfo(
        String address,
        @Nullable String appName,
        @Nullable String driver,
        @Nullable String os,
        @Nullable String user,
        @Nullable String userDatabase) {
    /** A client whose user's database is not known. */
    public ClientInfo(
            String address,
            @Nullable String appName,
            @Nullable String driver,
            @Nullable String os,
            @Nullable String user) {
        this(address, appName, driver, os, user, null);
    }

    /** A client of which only the address is known. */
    public static ClientInfo of(String address) {
        return new ClientInfo(address, null, null, null, null, null);
    }

    /** The same client, authenticated as {@code newUser} of {@code database}. */
    public ClientInfo withUser(@Nullable String newUser, @Nullable String database) {
        return new ClientInfo(address, appName, driver, os, newUser, database);
    }
}
