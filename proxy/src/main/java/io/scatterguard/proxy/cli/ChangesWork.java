package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.changes.ChangesTally;
import io.scatterguard.proxy.changes.Compared;
import io.scatterguard.proxy.changes.Comparison;
import io.scatterguard.proxy.logs.LoggedCommand;
import org.jspecify.annotations.Nullable;

/** Makes changes between two sides. */
record ChangesWork(Comparison comparison, ChangesTally tally) implements CheckWork {
    @Override
    public void prepare() {}

    @Override
    public @Nullable Runnable judged(LoggedCommand command) {
        Compared compared = comparison.compare(command);
        return compared == null ? null : () -> tally.add(compared);
    }

    @Override
    public @Nullable Runnable recorded(JsonNode record) {
        return null;
    }
}
