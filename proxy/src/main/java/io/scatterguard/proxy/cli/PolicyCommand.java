package io.scatterguard.proxy.cli;

import picocli.CommandLine.Command;

/** {@code policy}: commands about policies. */
@Command(
        name = "policy",
        description = "Policies: what is logged and refused (docs/policy.md).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = PolicyTestCommand.class,
        footer = {
            "",
            "Examples:",
            "  scatterguard policy test scatterguard.yaml audit.jsonl",
            "  scatterguard policy test new.yaml audit.jsonl --compare scatterguard.yaml"
        })
final class PolicyCommand {}
