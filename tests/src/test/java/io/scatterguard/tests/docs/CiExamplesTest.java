package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.Main;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages of {@code docs/ci}: their files make a project, and their commands end as they say. */
class CiExamplesTest {
    private static final int SECONDS = 300;

    @TempDir
    private Path folder;

    /** A page, and the one whose project it is about. */
    enum Example {
        NPM("npm.md", "npm.md", ExampleTool.NPM),
        PYTEST("pytest.md", "pytest.md", ExampleTool.PYTEST),
        MAVEN("maven.md", "maven.md", ExampleTool.MAVEN),
        GITHUB_ACTIONS("github-actions.md", "npm.md", ExampleTool.NPM),
        GITLAB_CI("gitlab-ci.md", "pytest.md", ExampleTool.PYTEST);

        private final String page;
        private final String project;
        private final ExampleTool tool;

        Example(String page, String project, ExampleTool tool) {
            this.page = page;
            this.project = project;
            this.tool = tool;
        }
    }

    @ParameterizedTest
    @EnumSource
    void itsCommandsEndAsThePageSays(Example example) throws Exception {
        example.tool.assumeAvailable();
        Path project = Files.createDirectory(folder.resolve("project"));
        ExamplePage.read(example.project).writeTo(project);
        prepare(project);

        for (ExamplePage.Step step : ExamplePage.read(example.page).steps()) {
            Run run = run(step.command(), project);
            assertThat(run.code).as(step.command() + "\n" + run.output).isEqualTo(step.code());
            if (step.code() != 0) {
                assertThat(run.output)
                        .as(step.command())
                        .contains(" new scatter-gather shop.orders find\n")
                        .contains("✗ customerId missing");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCommandOfAPageSaysHowItEnds(Example example) throws IOException {
        ExamplePage page = ExamplePage.read(example.page);

        assertThat(page.files()).isNotEmpty();
        assertThat(page.steps()).isNotEmpty().hasSize((int) ExamplePage.calls(example.page));
    }

    @Test
    void everyPageIsAnExample() throws IOException {
        try (Stream<Path> pages = Files.list(Repository.root().resolve("docs/ci"))) {
            Set<String> names = pages.map(page -> page.getFileName().toString()).collect(Collectors.toSet());
            names.remove("README.md");
            assertThat(names)
                    .isEqualTo(Stream.of(Example.values())
                            .map(example -> example.page)
                            .collect(Collectors.toSet()));
        }
    }

    /** The test says which test it was, where the page promises it. */
    @Test
    void aFindingOfPytestNamesItsTest() throws Exception {
        ExampleTool.PYTEST.assumeAvailable();
        Path project = Files.createDirectory(folder.resolve("project"));
        ExamplePage.read("pytest.md").writeTo(project);
        prepare(project);

        assertThat(run("scatterguard exec --rules rules.yaml -- pytest", project).output)
                .contains("test: test_by_status\n");
    }

    /** What {@code npm ci}, {@code pip install} and the first run of Maven would have fetched. */
    private void prepare(Path project) throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path arguments = Files.writeString(
                folder.resolve("arguments"),
                "-cp \"" + System.getProperty("java.class.path").replace("\\", "\\\\") + "\"");
        executable(
                bin.resolve("scatterguard"),
                Path.of(System.getProperty("java.home"), "bin", "java")
                        + " -Dlogback.configurationFile=io/scatterguard/proxy/logback.xml @" + arguments + " "
                        + Main.class.getName());
        executable(bin.resolve("pytest"), ExampleTool.python() + " -m pytest -p no:cacheprovider");
        if (Files.exists(ExampleTool.nodeModules())) {
            Files.createSymbolicLink(project.resolve("node_modules"), ExampleTool.nodeModules());
        }
        Files.createDirectory(project.resolve(".mvn"));
        Files.writeString(project.resolve(".mvn/maven.config"), "-o\n-ntp\n");
    }

    private static void executable(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\nexec " + command + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Run(int code, String output) {}

    private Run run(String command, Path project) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PATH", folder.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.remove("MAVEN_OPTS");
        Process process = builder.start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(ended).as(command + " does not end:\n" + text).isTrue();
        return new Run(process.exitValue(), text);
    }
}
