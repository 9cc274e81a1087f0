package io.scatterguard.proxy.policy;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tools of MongoDB that read or write whole collections by design, by the application name of their handshake. Not
 * {@code mongosh}: what a person types there is judged like any application's command.
 */
final class KnownTools {
    private static final Set<String> NAMES = Set.of(
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongofiles",
            "mongostat",
            "mongotop",
            "mongosync");

    /** Its editions append words: {@code MongoDB Compass Readonly}. */
    private static final String COMPASS = "MongoDB Compass";

    private KnownTools() {}

    static boolean contains(@Nullable String appName) {
        return appName != null && (NAMES.contains(appName) || appName.startsWith(COMPASS));
    }
}
