package io.scatterguard.tests.support;

import io.scatterguard.tests.apps.spring.SuiteMain;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** An application with test suites of its own: a shop, by one library; see {@code apps/README.md} of the test resources. */
public enum SuiteApp {
    SPRING_DATA(Optional.empty(), "OrdersSuite", "SearchSuite", "NightlySuite") {
        @Override
        List<String> runner() {
            return ExecProcess.java(SuiteMain.class);
        }
    },

    MONGOOSE(Optional.of(ClientTool.NODE_DRIVER), "orders.test.js", "search.test.js", "nightly.test.js") {
        @Override
        List<String> runner() {
            return List.of(ClientTool.node(), "--test");
        }

        @Override
        String named(String suite) {
            return folder().resolve("mongoose").resolve(suite).toString();
        }

        @Override
        public Map<String, String> environment() {
            return Map.of("NODE_PATH", ClientTool.nodeModules().toString());
        }
    },

    PYMONGO(Optional.of(ClientTool.PYMONGO), "test_orders", "test_search", "test_nightly") {
        @Override
        List<String> runner() {
            return List.of(ClientTool.python(), "-m", "unittest");
        }

        @Override
        public Map<String, String> environment() {
            return Map.of("PYTHONPATH", folder().resolve("pymongo").toString(), "PYTHONDONTWRITEBYTECODE", "1");
        }
    };

    private final Optional<ClientTool> tool;
    private final String clean;
    private final String planted;
    private final String exempted;

    SuiteApp(Optional<ClientTool> tool, String clean, String planted, String exempted) {
        this.tool = tool;
        this.clean = clean;
        this.planted = planted;
        this.exempted = exempted;
    }

    abstract List<String> runner();

    String named(String suite) {
        return suite;
    }

    /** What the suites need in their environment. */
    public Map<String, String> environment() {
        return Map.of();
    }

    /** Skips the running test where what it runs on is missing, see {@link ClientTool#assumeAvailable}. */
    public void assumeAvailable() {
        tool.ifPresent(ClientTool::assumeAvailable);
        Assumptions.assumeTrue(
                this != MONGOOSE
                        || ClientTool.nodeModules().resolve("mongoose").toFile().isDirectory(),
                "mongoose is missing: run `npm ci` in tests/node");
    }

    /** The command line of the suite all of whose queries give the shard key. */
    public String[] clean() {
        return commandLine(clean);
    }

    /** Of that one and one with a broadcast. */
    public String[] planted() {
        return commandLine(clean, planted);
    }

    /** Of the clean one and one with a broadcast that is meant. */
    public String[] exempted() {
        return commandLine(clean, exempted);
    }

    private String[] commandLine(String... suites) {
        List<String> command = new ArrayList<>(runner());
        for (String suite : suites) {
            command.add(named(suite));
        }
        return command.toArray(String[]::new);
    }

    /** The configuration for all of them. */
    public static Path config() {
        return folder().resolve("scatterguard.yaml");
    }

    static Path folder() {
        try {
            return Path.of(SuiteApp.class.getResource("/apps").toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
