package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A real browser without a window: {@code chromium} of the path; the property {@code scatterguard.chromium} names another.
 *
 * @param folder for its profile, its network log and its pictures
 */
public record Chromium(Path folder) {
    private static final long PATIENCE_SECONDS = 120;

    /** How a page is seen. */
    public enum Look {
        LIGHT("1"),
        DARK("0");

        private final String preferred;

        Look(String preferred) {
            this.preferred = preferred;
        }
    }

    /**
     * A page that was opened.
     *
     * @param dom as the browser serializes it, after all that runs has run
     * @param console what it says of errors and of what the page's policy forbids
     * @param network its log of everything that it fetched or tried to
     */
    public record Opened(String dom, String console, String network) {}

    /** Skips the running test, saying why, when there is no Chromium; fails it where the environment has CI=true. */
    public static void assumeAvailable() {
        String program = program();
        try {
            Process probe = new ProcessBuilder(program, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (probe.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && probe.exitValue() == 0) {
                return;
            }
            missing("`" + program + " --version` failed");
        } catch (IOException e) {
            missing("`" + program + " --version` cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String program() {
        return System.getProperty("scatterguard.chromium", "chromium");
    }

    private static void missing(String reason) {
        String message = "chromium is missing: " + reason + " (install the package chromium)";
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(message + " (CI=true: a missing tool is a failure)");
        }
        System.out.println("SKIPPED " + message);
        Assumptions.abort(message);
    }

    /** Opens a file. */
    public Opened open(Path page) {
        Path network = folder.resolve("network.json");
        Path dom = folder.resolve("dom.html");
        Path console =
                run(dom, List.of("--dump-dom", "--enable-logging=stderr", "--v=0", "--log-net-log=" + network), page);
        try {
            return new Opened(
                    Files.readString(dom),
                    Files.readString(console, StandardCharsets.ISO_8859_1),
                    Files.readString(network, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes a picture of the upper part of a page, in pixels. */
    public Path picture(Path page, String name, Look look, int width, int height) {
        Path picture = folder.resolve(name);
        run(
                folder.resolve("picture.out"),
                List.of(
                        "--hide-scrollbars",
                        "--screenshot=" + picture,
                        "--window-size=" + width + "," + height,
                        "--blink-settings=preferredColorScheme=" + look.preferred),
                page);
        return picture;
    }

    /** Returns with what it wrote to standard error. */
    private Path run(Path out, List<String> options, Path page) {
        // In a container there is neither a sandbox nor much shared memory; the page is our own.
        List<String> command = new ArrayList<>(List.of(
                program(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--host-resolver-rules=MAP * ~NOTFOUND", // what is asked for is logged, and does not get out
                "--user-data-dir=" + folder.resolve("profile")));
        command.addAll(options);
        command.add(page.toUri().toString());
        Path err = folder.resolve("console.txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "chromium: not done after " + PATIENCE_SECONDS + " s: " + Files.readString(err));
            }
            if (process.exitValue() != 0) {
                throw new AssertionError("chromium: " + process.exitValue() + ": " + Files.readString(err));
            }
            return err;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
