package io.scatterguard.tests.bench;

import io.scatterguard.proxy.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how fast {@code check} reads a log, in a process of its own with a heap of 256 MB: once a log of which each fifth line is a
 * slow query, once one of slow queries alone, which is the worst there is. Prints the figures beside those of {@code wc -l} on the
 * same file. The argument is the size in megabytes, 1,024 without one; the log is written to the folder of temporary files, one at a
 * time, and deleted. Exits with 1 if a run fails, not for a figure.
 */
public final class CheckBench {
    private static final int MIXED = 20;
    private static final int WORST = 100;
    private static final String HEAP = "-Xmx256m";
    private static final Pattern JUDGED = Pattern.compile("(\\d+) commands,");
    private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private boolean fails;

    private CheckBench() {}

    public static void main(String[] args) throws Exception {
        long megabytes = args.length == 0 ? 1_024 : Long.parseLong(args[0]);
        Path folder = Files.createTempDirectory("check-bench");
        CheckBench bench = new CheckBench();
        try {
            System.out.printf(
                    Locale.ROOT,
                    "check of %,d MB on %d processors, %s%n",
                    megabytes,
                    Runtime.getRuntime().availableProcessors(),
                    HEAP);
            for (int slow : new int[] {MIXED, WORST}) {
                bench.measure(folder, slow, megabytes << 20);
            }
        } finally {
            Files.deleteIfExists(folder.resolve("rules.yaml"));
            Files.deleteIfExists(folder);
        }
        System.exit(bench.fails ? 1 : 0);
    }

    private void measure(Path folder, int slowShare, long bytes) throws IOException, InterruptedException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), GeneratedLog.rules());
        Path log = folder.resolve("mongos.log");
        Path report = folder.resolve("report");
        try {
            long slow = new GeneratedLog(slowShare).write(log, bytes);
            Run count = run(List.of("wc", "-l", log.toString()), report);
            Run check = run(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            HEAP,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "check",
                            "--fail-on",
                            "none",
                            "--rules",
                            rules.toString(),
                            log.toString()),
                    report);
            Matcher judged = JUDGED.matcher(check.output());
            boolean whole = judged.find() && Long.parseLong(judged.group(1)) == slow;
            fails |= !whole || check.code() != 0;
            System.out.printf(
                    Locale.ROOT,
                    "%3d %% slow queries: %,d judged%s, check %.1f s (%.0f MB/s, %.1f s of processors), at most %d MB resident;"
                            + " wc -l %.1f s%n",
                    slowShare,
                    slow,
                    whole ? "" : " SHOULD HAVE BEEN",
                    check.seconds(),
                    bytes / 1e6 / check.seconds(),
                    check.cpuSeconds(),
                    check.residentKilobytes() / 1024,
                    count.seconds());
        } finally {
            Files.deleteIfExists(log);
            Files.deleteIfExists(report);
        }
    }

    /** @param residentKilobytes the most that was resident, as Linux says; 0 elsewhere, and for what ends at once */
    private record Run(int code, double seconds, double cpuSeconds, long residentKilobytes, String output) {}

    private static Run run(List<String> command, Path output) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        long resident = 0;
        double cpu = 0;
        while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
            resident = Math.max(resident, residentKilobytes(process.pid()));
            cpu = process.info()
                    .totalCpuDuration()
                    .map(used -> used.toNanos() / 1e9)
                    .orElse(cpu);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Run(process.exitValue(), seconds, cpu, resident, Files.readString(output));
    }

    private static long residentKilobytes(long pid) {
        try {
            Matcher line = RESIDENT.matcher(Files.readString(Path.of("/proc", String.valueOf(pid), "status")));
            return line.find() ? Long.parseLong(line.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
