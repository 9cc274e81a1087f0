package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.offline.OfflineJudge;
import io.scatterguard.proxy.reports.FindingsTally;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes findings.
 *
 * @param judge asked for when the first command comes: records need none
 */
record FindingsWork(Supplier<OfflineJudge> judge, FindingsTally tally) implements CheckWork {
    @Override
    public void prepare() {
        Objects.requireNonNull(judge.get(), "judge"); // it is made once, and kept
    }

    @Override
    public @Nullable Runnable judged(LoggedCommand command) {
        OfflineJudge.Found found = judge.get().find(command);
        return found == null ? null : () -> tally.addJudged(found.brief(), found.whole(), command.continued());
    }

    @Override
    public Runnable recorded(JsonNode record) {
        return () -> tally.add(record);
    }
}
