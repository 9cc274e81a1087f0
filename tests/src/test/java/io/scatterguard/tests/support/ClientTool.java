package io.scatterguard.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A real client program of the tests and where it is looked for on this machine. */
public enum ClientTool {
    /** The Node driver, from {@code tests/node/node_modules} or the property {@code scatterguard.node.modules}. */
    NODE_DRIVER("node-driver.mjs") {
        @Override
        List<String> commandLine(Path script, String uri) {
            return List.of(node(), script.toString());
        }

        @Override
        public Optional<String> unavailable() {
            Path driver = nodeModules().resolve("mongodb/package.json");
            return Files.exists(driver) ? cannotRun(node(), "--version") : Optional.of(missing(driver));
        }
    },

    /** The shell, from {@code .bin/mongosh} of the same folder or the property {@code scatterguard.mongosh}. */
    MONGOSH("mongosh-script.js") {
        @Override
        List<String> commandLine(Path script, String uri) {
            return List.of(mongosh().toString(), uri, "--quiet", "--norc", "--file", script.toString());
        }

        @Override
        public Optional<String> unavailable() {
            return Files.isExecutable(mongosh()) ? cannotRun(node(), "--version") : Optional.of(missing(mongosh()));
        }

        private static Path mongosh() {
            return property("scatterguard.mongosh")
                    .map(Path::of)
                    .orElse(nodeModules().resolve(".bin/mongosh"));
        }
    },

    /** PyMongo, of {@code /usr/bin/python3} or the interpreter of the property {@code scatterguard.python}. */
    PYMONGO("pymongo_client.py") {
        @Override
        List<String> commandLine(Path script, String uri) {
            return List.of(python(), script.toString());
        }

        @Override
        public Optional<String> unavailable() {
            return cannotRun(python(), "-c", "import pymongo");
        }
    };

    private static final int PROBE_SECONDS = 30;

    private final String script;

    ClientTool(String script) {
        this.script = script;
    }

    /** The name of its script under {@code clients/} of the test resources. */
    String script() {
        return script;
    }

    abstract List<String> commandLine(Path script, String uri);

    /** Why the tool cannot be used here, with what to do about it; empty when it can. */
    public abstract Optional<String> unavailable();

    /** Skips the running test, saying why, when the tool is missing; fails it where the environment has CI=true. */
    public void assumeAvailable() {
        requireAvailable(unavailable(), "true".equals(System.getenv("CI")));
    }

    void requireAvailable(Optional<String> reason, boolean ci) {
        if (reason.isEmpty()) {
            return;
        }
        String message = name().toLowerCase(Locale.ROOT) + " is missing: " + reason.get();
        if (ci) {
            throw new AssertionError(message + " (CI=true: a missing tool is a failure)");
        }
        System.out.println("SKIPPED " + message);
        Assumptions.abort(message);
    }

    static Path nodeModules() {
        return property("scatterguard.node.modules")
                .map(Path::of)
                .orElse(Path.of(System.getProperty("basedir", ""), "node", "node_modules")
                        .toAbsolutePath());
    }

    static String python() {
        return property("scatterguard.python").orElse("/usr/bin/python3");
    }

    static String node() {
        return property("scatterguard.node").orElse("node");
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(value -> !value.isBlank());
    }

    private static String missing(Path path) {
        return path + " does not exist (run `npm ci` in tests/node, or set -Dscatterguard.node.modules)";
    }

    private static Optional<String> cannotRun(String... commandLine) {
        try {
            Process process = new ProcessBuilder(commandLine)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return Optional.empty();
            }
            process.destroyForcibly();
            return Optional.of("`" + String.join(" ", commandLine) + "` failed");
        } catch (IOException e) {
            return Optional.of("`" + String.join(" ", commandLine) + "` cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
