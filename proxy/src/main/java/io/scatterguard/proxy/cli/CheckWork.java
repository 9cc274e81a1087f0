package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.logs.LoggedCommand;
import org.jspecify.annotations.Nullable;

/** What {@code check} makes of what it reads: on several threads something of each item, which one thread adds up in order. */
interface CheckWork {
    /** Why audit records are left out where they do not help. */
    String NOT_AGAIN = "audit records hold no commands that could be judged again (policy test tries a policy on them)";

    /** Called before each command is judged, by any thread; a failure of it ends the run. */
    void prepare();

    /**
     * What adds up what {@code command} comes to; null if there is nothing to add.
     *
     * @throws io.scatterguard.proxy.offline.LineFormatException if it is no command that a server could have got
     */
    @Nullable Runnable judged(LoggedCommand command);

    /** What adds up a record of an audit log; null where records are left out. */
    @Nullable Runnable recorded(JsonNode record);
}
