package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ConfigReader;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code serve}: runs the proxy until the process is told to stop. */
@Command(
        name = "serve",
        description = {
            "Runs the proxy until SIGTERM or SIGINT.",
            "SIGHUP reads the configuration anew; SIGUSR1 turns judging off everywhere (bypass), and on again."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  scatterguard serve --config scatterguard.yaml"})
final class ServeCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration, YAML (docs/configuration.md).")
    private Path config = Path.of("scatterguard.yaml");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        ProxyRuntime runtime;
        Set<Path> files = new LinkedHashSet<>();
        try {
            runtime =
                    ProxyRuntime.start(ConfigReader.read(config, System.getenv(), files::add), RuntimeParts.standard());
        } catch (ConfigException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return ExitCode.USAGE.code();
        }
        ConfigWatch watch = new ConfigWatch(config, files, System.getenv(), runtime.live());
        watch.start();
        // What was edited between its reading and the first look at the files' marks counts too.
        watch.reread();
        Signals.on("HUP", watch::reread);
        Signals.on("USR1", runtime.policy()::toggleBypass);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            watch.close();
                            runtime.close();
                            stopped.countDown();
                        },
                        "scatterguard-shutdown"));
        stopped.await();
        return ExitCode.OK.code();
    }
}
