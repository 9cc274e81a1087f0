package io.scatterguard.proxy.cli;

import picocli.CommandLine.Command;

/** {@code rules}: files of declared sharding rules. */
@Command(
        name = "rules",
        description = "Files of declared sharding rules: shard keys of collections that are not sharded, or not yet.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RulesShowCommand.class, RulesImportCommand.class, RulesValidateCommand.class},
        footer = {
            "",
            "Examples:",
            "  scatterguard rules show rules.yaml",
            "  scatterguard rules import --config scatterguard.yaml --output rules.yaml",
            "  scatterguard rules validate rules.yaml --uri mongodb://staging:27017/"
        })
final class RulesCommand {}
