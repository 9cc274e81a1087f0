package io.scatterguard.proxy.cli;

import picocli.CommandLine.Command;

/** {@code baseline}: files of known query shapes. */
@Command(
        name = "baseline",
        description = "Files of known broadcasts, by their query shapes: with one, only new broadcasts are refused.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {BaselineCreateCommand.class, BaselineAcceptCommand.class},
        footer = {
            "",
            "Examples:",
            "  scatterguard baseline create audit.jsonl --output baseline.yaml",
            "  scatterguard baseline accept b877d4f5f43a820d --file baseline.yaml --owner orders --until 2027-03-31"
        })
final class BaselineCommand {}
