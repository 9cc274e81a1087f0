package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.routing.RouterRelease;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code explain}: predicts where commands go, without a proxy. */
@Command(
        name = "explain",
        description = "Predicts where commands go and compares with what is expected of them.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Prints one line of JSON for each input: id, shards, placement, shape, error, upperBound, agree;",
            "then a line that counts them. Exit codes: 0 all agree, 1 some do not, 2 an input cannot be read.",
            "",
            "Examples:",
            "  scatterguard explain --vectors vectors.jsonl",
            "  scatterguard explain --catalog catalog.json --commands commands.jsonl --router-version 6.3"
        })
final class ExplainCommand implements Callable<Integer> {
    @Option(
            names = "--vectors",
            paramLabel = "FILE",
            description = "Targeting vectors or cases, one a line; each describes its own collection.")
    private @Nullable Path vectors;

    @Option(
            names = "--commands",
            paramLabel = "FILE",
            description = {
                "Commands as drivers send them, one a line: {id, ns, command, shards?, explainError?, counted?, error?}.",
                "Needs --catalog."
            })
    private @Nullable Path commands;

    @Option(
            names = "--catalog",
            paramLabel = "DUMP",
            description = "The cluster's metadata: one document {shards, databases, collections, chunks, views}.")
    private @Nullable Path catalog;

    @Option(
            names = "--router-version",
            paramLabel = "V",
            description = {
                "The router's release, like 6.3. With --vectors: leave out those that do not hold for it (without it, each",
                "is checked for the ends of the range it names). With --commands: the release the commands ran on;",
                "without it, the one that the proxy assumes of a router it does not know yet."
            })
    private @Nullable String routerVersion;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        RouterRelease release = release();
        ExplainCheck check =
                new ExplainCheck(spec.commandLine().getOut(), spec.commandLine().getErr());
        if (vectors != null && commands == null && catalog == null) {
            return check.vectors(vectors, release).code();
        }
        if (vectors == null && commands != null && catalog != null) {
            return check.commands(catalog, commands, release == null ? RouterRelease.DEFAULT : release)
                    .code();
        }
        throw new ParameterException(
                spec.commandLine(), "give either --vectors FILE, or --catalog DUMP and --commands FILE");
    }

    private @Nullable RouterRelease release() {
        try {
            return routerVersion == null ? null : RouterRelease.parse(routerVersion);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--router-version: " + e.getMessage());
        }
    }
}
