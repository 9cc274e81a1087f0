package io.scatterguard.tests.docs;

import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of {@code docs/ci}: a file is a block after a paragraph that begins with its name, and a command is a line that calls
 * {@code scatterguard} and says with what it ends.
 */
record ExamplePage(String name, Map<String, String> files, List<Step> steps) {
    private static final Pattern FILE =
            Pattern.compile("(?m)^`([\\w./-]+)`.*\\n(?:.+\\n)*\\n```\\w+\\n((?:.*\\n)*?)```$");
    private static final Pattern STEP = Pattern.compile(
            "(?m)^[ -]*(?:run: )?(?:tools/)?(scatterguard (?:exec|check|baseline) .*?) +# ends with (\\d+)$");

    /** A command and its exit code. */
    record Step(String command, int code) {}

    static ExamplePage read(String name) throws IOException {
        String text = Files.readString(Repository.root().resolve("docs/ci").resolve(name));
        Map<String, String> files = new LinkedHashMap<>();
        Matcher file = FILE.matcher(text);
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
        List<Step> steps = new ArrayList<>();
        Matcher step = STEP.matcher(text);
        while (step.find()) {
            steps.add(new Step(step.group(1), Integer.parseInt(step.group(2))));
        }
        return new ExamplePage(name, files, steps);
    }

    /** How many lines call the command line at all, outside of sentences. */
    static long calls(String name) throws IOException {
        return Files.readString(Repository.root().resolve("docs/ci").resolve(name))
                .lines()
                .filter(line -> line.matches("[ -]*(?:run: )?(?:tools/)?scatterguard .*"))
                .count();
    }

    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
