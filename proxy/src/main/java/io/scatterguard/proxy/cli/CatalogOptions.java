package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where a command of the command line has its catalog from, and for which release of the router it predicts. */
final class CatalogOptions {
    /** Where the catalog is; one at most. */
    static final class From {
        @Option(
                names = "--catalog",
                paramLabel = "DUMP",
                description = "A catalog in a file, written by catalog dump; - is standard input.")
        private @Nullable String dump;

        @Option(names = "--uri", paramLabel = "URI", description = ClusterOptions.URI)
        private @Nullable String uri;

        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = ClusterOptions.CONFIG)
        private @Nullable Path config;
    }

    @ArgGroup(multiplicity = "0..1")
    private @Nullable From from;

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = "Declared sharding rules (docs/sharding-rules.md): alone, or over the catalog.")
    private @Nullable Path rules;

    @Option(
            names = "--router-version",
            paramLabel = "V",
            description = {
                "The router's release, like 6.3. Default: that of the server that --uri or --config reaches (routerVersion",
                "of the configuration before it); with --catalog that of the server that was dumped, or where the dump does",
                "not say it the one that the proxy assumes of a router it does not know yet. With --vectors: leave out those",
                "that do not hold for it; without it, each is checked for the ends of the range it names. A vector without",
                "versions is about 6.3, and holds as far as is known for 4.4 to 8.0; so does a case without validFor."
            })
    private @Nullable String routerVersion;

    /** The same options with what is given in the place of theirs; null for what stays. */
    CatalogOptions instead(@Nullable String release, @Nullable Path otherRules, @Nullable String otherDump) {
        CatalogOptions other = new CatalogOptions();
        other.routerVersion = release == null ? routerVersion : release;
        other.rules = otherRules == null ? rules : otherRules;
        other.from = from;
        if (otherDump != null) {
            other.from = new From();
            other.from.dump = otherDump;
        }
        return other;
    }

    /** Where shard keys are from, for people. */
    String source() {
        From source = from == null ? new From() : from;
        String catalog = source.dump != null
                ? "catalog " + source.dump
                : source.config != null ? "config " + source.config : source.uri != null ? "the cluster" : "";
        String declared = rules == null ? "" : "rules " + rules;
        return catalog + (catalog.isEmpty() || declared.isEmpty() ? "" : ", ") + declared;
    }

    /**
     * What they lead to.
     *
     * @param declared whether keys are declared in the place of a cluster's: then what a cluster would refuse has to be found out
     */
    record Loaded(CatalogLoad catalog, RouterRelease release, boolean declared) {}

    /** Whether there is a catalog at all: one that was read, declared rules, or both. */
    boolean isGiven() {
        return from != null || rules != null;
    }

    /** Whether one is to be read. */
    boolean hasSource() {
        return from != null;
    }

    boolean hasRules() {
        return rules != null;
    }

    /** The configuration that was named; null for none. */
    @Nullable Path config() {
        return from == null ? null : from.config;
    }

    /** The file of a dump; null for any other source. */
    @Nullable String dump() {
        return from == null ? null : from.dump;
    }

    /** The release asked for; null for none. */
    @Nullable RouterRelease routerVersion(CommandLine commandLine) {
        return release(commandLine, routerVersion);
    }

    /**
     * Reads the catalog.
     *
     * @param mentioned the collections that matter, where only some are to be read
     * @throws IOException if the cluster cannot be read
     */
    Loaded load(CommandLine commandLine, Predicate<Namespace> mentioned) throws IOException {
        RouterRelease asked = routerVersion(commandLine);
        From source = from == null ? new From() : from;
        if (source.dump != null) {
            CatalogDump read = InputFile.dump(source.dump);
            RouterRelease release = release(source.dump, read, asked);
            return new Loaded(declared(load(source.dump, read), List.of(), release), release, rules != null);
        }
        ScatterguardConfig config = source.config == null ? null : ConfigReader.read(source.config);
        List<ShardingRule> configured = config == null ? List.of() : config.shardingRules();
        boolean alone = config == null ? source.uri == null : config.catalog().uri() == null;
        if (alone) {
            RouterRelease named =
                    asked == null && config != null ? release(commandLine, config.routerVersion()) : asked;
            RouterRelease release = named == null ? RouterRelease.DEFAULT : named;
            return new Loaded(declared(CatalogLoad.ofNothing(Instant.now()), configured, release), release, true);
        }
        ClusterAccess cluster = config == null ? ClusterOptions.access(source.uri, null) : ClusterAccess.of(config);
        RouterRelease named = asked == null ? release(commandLine, cluster.routerVersion()) : asked;
        return cluster.ask(reader -> {
            RouterRelease release = named == null ? RouterRelease.parse(reader.serverVersion()) : named;
            return new Loaded(declared(reader.load(mentioned), configured, release), release, rules != null);
        });
    }

    /** The rules of {@code --rules} come after those of the configuration. */
    private CatalogLoad declared(CatalogLoad cluster, List<ShardingRule> configured, RouterRelease release) {
        List<ShardingRule> all = new ArrayList<>(configured);
        if (rules != null) {
            all.addAll(RulesFile.read(rules));
        }
        DeclaredCatalog declared = DeclaredKeys.catalog(all, release);
        List<CatalogProblem> problems = new ArrayList<>(cluster.problems());
        problems.addAll(declared.problems());
        return new CatalogLoad(declared.apply(cluster.snapshot()), problems, cluster.clusterId());
    }

    static CatalogLoad load(String dump, CatalogDump read) {
        try {
            return CatalogBuilder.load(read.catalog(), ShardRegistry.empty(), Instant.now());
        } catch (CatalogException e) {
            throw new InputException(InputFile.name(dump) + ": " + e.getMessage());
        }
    }

    /** That of the option, else that of the server that was dumped. */
    static RouterRelease release(String dump, CatalogDump read, @Nullable RouterRelease asked) {
        if (asked != null || read.serverVersion() == null) {
            return asked == null ? RouterRelease.DEFAULT : asked;
        }
        try {
            return RouterRelease.parse(read.serverVersion());
        } catch (IllegalArgumentException e) {
            throw new InputException(InputFile.name(dump) + ": \"serverVersion\": \"" + read.serverVersion()
                    + "\" (expected: a release like 6.0.5; or give --router-version)");
        }
    }

    private static @Nullable RouterRelease release(CommandLine commandLine, @Nullable String version) {
        try {
            return version == null ? null : RouterRelease.parse(version);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    commandLine, "--router-version: " + version + " (expected: major.minor, like 6.0)");
        }
    }
}
