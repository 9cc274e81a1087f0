package io.scatterguard.tests.docs;

import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** What an example of {@code docs/ci} runs its tests with. */
enum ExampleTool {
    /** With the Node driver, as {@code npm ci} in {@code tests/node} installs it. */
    NPM {
        @Override
        Optional<String> missing() {
            Path driver = nodeModules().resolve("mongodb/package.json");
            return Files.exists(driver)
                    ? cannotRun("npm", "--version")
                    : Optional.of(driver + " does not exist (run `npm ci` in tests/node)");
        }
    },
    PYTEST {
        @Override
        Optional<String> missing() {
            return cannotRun(python(), "-c", "import pymongo, pytest");
        }
    },
    MAVEN {
        @Override
        Optional<String> missing() {
            return cannotRun("mvn", "--version");
        }
    };

    private static final int PROBE_SECONDS = 30;

    /** Why it cannot be used here; empty when it can. */
    abstract Optional<String> missing();

    /** Skips the running test, saying why, when the tool is missing; fails it where the environment has CI=true. */
    void assumeAvailable() {
        missing().ifPresent(reason -> {
            String message = name().toLowerCase(Locale.ROOT) + " is missing: " + reason;
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError(message + " (CI=true: a missing tool is a failure)");
            }
            System.out.println("SKIPPED " + message);
            Assumptions.abort(message);
        });
    }

    static String python() {
        return System.getProperty("scatterguard.python", "/usr/bin/python3");
    }

    static Path nodeModules() {
        String elsewhere = System.getProperty("scatterguard.node.modules");
        return elsewhere == null ? Repository.root().resolve("tests/node/node_modules") : Path.of(elsewhere);
    }

    private static Optional<String> cannotRun(String... commandLine) {
        String command = "`" + String.join(" ", commandLine) + "`";
        try {
            Process process = new ProcessBuilder(commandLine)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return Optional.empty();
            }
            process.destroyForcibly();
            return Optional.of(command + " failed");
        } catch (IOException e) {
            return Optional.of(command + " cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
