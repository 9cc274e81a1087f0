package io.scatterguard.proxy.metrics;

import io.scatterguard.protocol.command.CommandName;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The commands that are told apart by a label: those that read or write documents; all others are one. */
enum Operation {
    FIND(CommandName.FIND),
    AGGREGATE(CommandName.AGGREGATE),
    COUNT(CommandName.COUNT),
    DISTINCT(CommandName.DISTINCT),
    INSERT(CommandName.INSERT),
    UPDATE(CommandName.UPDATE),
    DELETE(CommandName.DELETE),
    FIND_AND_MODIFY(CommandName.FIND_AND_MODIFY),
    BULK_WRITE(CommandName.BULK_WRITE),
    GET_MORE(CommandName.GET_MORE),
    EXPLAIN(CommandName.EXPLAIN),
    OTHER(CommandName.UNKNOWN);

    private static final Operation[] BY_COMMAND = byCommand();

    private final CommandName command;

    Operation(CommandName command) {
        this.command = command;
    }

    private static Operation[] byCommand() {
        Map<CommandName, Operation> known =
                Arrays.stream(values()).collect(Collectors.toMap(operation -> operation.command, o -> o));
        return Arrays.stream(CommandName.values())
                .map(name -> known.getOrDefault(name, OTHER))
                .toArray(Operation[]::new);
    }

    @SuppressWarnings("EnumOrdinal") // the table lives no longer than the process
    static Operation of(CommandName name) {
        return BY_COMMAND[name.ordinal()];
    }

    String text() {
        return this == OTHER ? "other" : command.text();
    }

    /** Whether {@code serverStatus().shardingStatistics.numHostsTargeted} counts it (targeting semantics §18.1). */
    boolean isCountedByServers() {
        return this == FIND || this == AGGREGATE || this == INSERT || this == UPDATE || this == DELETE;
    }
}
