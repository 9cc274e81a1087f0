package io.scatterguard.tests.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures route and verdict over 1,000,000 chunks and prints each operation's time, as a ratio to a look-up in a {@link
 * java.util.TreeMap} as well, and its allocation. That look-up is measured before and after, and the faster one counts. The
 * arguments are JMH's; what they set takes precedence.
 *
 * <p>Exits with 1 if the find by full key allocates more than {@link #MAX_BYTES}. Its time is judged in the output only: that
 * depends on who else uses the machine.
 */
public final class RoutingBench {
    /** How many bytes a find by full key may allocate. */
    static final int MAX_BYTES = 512;

    /** How much longer it may take than {@code TreeMap.floorEntry}. */
    static final int MAX_RATIO = 3;

    private static final String LINE = "%-30s %8s %8s %8s %8s %8s%n";

    private RoutingBench() {}

    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        CommandLineOptions given = new CommandLineOptions(args);
        RunResult before = new Runner(options(given, FloorEntry.class)).runSingle();
        Collection<RunResult> judged = new Runner(options(given, RouteAndVerdict.class)).run();
        RunResult after = new Runner(options(given, FloorEntry.class)).runSingle();
        double floorNanos = Math.min(nanos(before), nanos(after));
        print("%n%,d chunks, %,d distinct commands an operation%n%n", Orders.CHUNKS, RouteAndVerdict.COMMANDS);
        print(LINE, "operation", "ns/op", "mean", "±", "B/op", "ratio");
        printRow("TreeMap.floorEntry, before", before, floorNanos);
        for (Operation operation : Operation.values()) {
            find(judged, operation).ifPresent(result -> printRow(operation.text(), result, floorNanos));
        }
        printRow("TreeMap.floorEntry, after", after, floorNanos);
        boolean holds = find(judged, Operation.FIND_FULL_KEY)
                .map(result -> printBounds(result, floorNanos))
                .orElse(true);
        System.exit(holds ? 0 : 1);
    }

    private static Options options(CommandLineOptions given, Class<?> benchmark) {
        return new OptionsBuilder()
                .parent(given)
                .include(benchmark.getName() + "\\.")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(given.getForkCount().orElse(1))
                .warmupIterations(given.getWarmupIterations().orElse(6))
                .warmupTime(given.getWarmupTime().orElse(TimeValue.seconds(1)))
                .measurementIterations(given.getMeasurementIterations().orElse(10))
                .measurementTime(given.getMeasurementTime().orElse(TimeValue.milliseconds(500)))
                .jvmArgsAppend(
                        "-Xms4g",
                        "-Xmx4g",
                        "-Djmh.executor=CUSTOM",
                        "-Djmh.executor.class=" + EventLoopThread.class.getName())
                .shouldFailOnError(true)
                .addProfiler(GCProfiler.class)
                .build();
    }

    private static Optional<RunResult> find(Collection<RunResult> results, Operation operation) {
        return results.stream()
                .filter(result -> operation.name().equals(result.getParams().getParam("operation")))
                .findFirst();
    }

    private static void printRow(String name, RunResult result, double floorNanos) {
        print(
                LINE,
                name,
                rounded(nanos(result)),
                rounded(result.getPrimaryResult().getScore()),
                rounded(result.getPrimaryResult().getScoreError()),
                rounded(bytes(result)),
                String.format(Locale.ROOT, "%.2f", nanos(result) / floorNanos));
    }

    private static String rounded(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }

    /** Whether the bound on the allocation holds. */
    private static boolean printBounds(RunResult result, double floorNanos) {
        double ratio = nanos(result) / floorNanos;
        double bytes = bytes(result);
        print("%nThe bounds of a find by full key:%n");
        print("  time        %6.2f x floorEntry (at most %d x): %s%n", ratio, MAX_RATIO, holds(ratio <= MAX_RATIO));
        print("  allocation  %6.0f B (at most %d B): %s%n", bytes, MAX_BYTES, holds(bytes <= MAX_BYTES));
        return bytes <= MAX_BYTES;
    }

    /** The mean of the fastest iteration: whoever else uses the machine only ever adds to it. */
    private static double nanos(RunResult result) {
        return result.getPrimaryResult().getStatistics().getMin();
    }

    private static double bytes(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }

    private static String holds(boolean holds) {
        return holds ? "holds" : "BROKEN";
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
