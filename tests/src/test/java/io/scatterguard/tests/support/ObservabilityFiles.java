package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonDocument;

/** What is in {@code docker/observability}. */
public final class ObservabilityFiles {
    private static final Path FOLDER = Repository.root().resolve("docker/observability");

    private ObservabilityFiles() {}

    public static Path alerts() {
        return FOLDER.resolve("alerts.yml");
    }

    /** Tests of the alerts, for {@code promtool}. */
    public static Path alertTests() {
        return FOLDER.resolve("alerts_test.yml");
    }

    public static String text(String name) {
        try {
            return Files.readString(FOLDER.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The queries of the dashboard, as they stand there. */
    public static List<String> dashboardQueries() {
        return BsonDocument.parse(text("dashboard.json")).getArray("panels").stream()
                .flatMap(panel -> panel.asDocument().getArray("targets").stream())
                .map(target -> target.asDocument().getString("expr").getValue())
                .toList();
    }

    /** The names of the alerts. */
    public static List<String> alertNames() {
        return Pattern.compile("(?m)^ +- alert: (\\w+)$")
                .matcher(text("alerts.yml"))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
