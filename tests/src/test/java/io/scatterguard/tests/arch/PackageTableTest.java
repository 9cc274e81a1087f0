package io.scatterguard.tests.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Asserts the package table of {@code docs/architecture.md}: the document is the rule. */
class PackageTableTest {
    private static final String ROOT = "io.scatterguard.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.scatterguard.protocol", "io.scatterguard.proxy", "io.scatterguard.testing");

    /** Package → what it may use, as the table says; {@code all} stands for everything. */
    private static final Map<String, List<String>> TABLE = readTable();

    @TestFactory
    Stream<DynamicTest> aPackageUsesOnlyWhatTheTableAllows() {
        return TABLE.entrySet().stream()
                .filter(row -> !row.getValue().contains("all"))
                .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> check(row.getKey(), row.getValue())));
    }

    private static void check(String name, List<String> allowed) {
        String[] forbidden = TABLE.keySet().stream()
                .filter(other -> !other.equals(name) && !allowed.contains(other))
                .map(other -> ROOT + other)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .check(CLASSES);
    }

    @Test
    void everyPackageIsInTheTable() {
        List<String> packages = CLASSES.stream()
                .map(c -> c.getPackageName().substring(ROOT.length()))
                .distinct()
                .sorted()
                .toList();
        assertThat(TABLE.keySet()).containsExactlyElementsOf(packages);
    }

    @Test
    void thereAreNoCycles() {
        slices().matching(ROOT + "(*.*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyTheCatalogTheMonitorsAndTheDemoUseTheDriver() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "proxy.catalog", ROOT + "proxy.upstream", ROOT + "proxy.embedded")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.mongodb..")
                .check(CLASSES);
    }

    /** Who uses the extension alone has no Testcontainers, and who uses the container alone no JUnit. */
    @Test
    void theContainerAloneKnowsTestcontainersAndNoJUnit() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.scatterguard\\.testing\\.ScatterguardContainer.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.testcontainers..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "testing")
                .or()
                .haveNameMatching("io\\.scatterguard\\.testing\\.(Scatterguard)?Container.*|.*\\.FindingsApi")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..", "org.opentest4j..")
                .check(CLASSES);
    }

    @Test
    void routingAndPolicyKnowNoNetworkAndNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "proxy.routing", ROOT + "proxy.policy")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.channel..", "java.net..", "java.nio.file..")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(CLASSES);
    }

    private static Map<String, List<String>> readTable() {
        Map<String, List<String>> table = new TreeMap<>();
        try (Stream<String> lines = Files.lines(repositoryRoot().resolve("docs/architecture.md"))) {
            for (String line : lines.filter(l -> l.startsWith("| `pro") || l.startsWith("| `testing`"))
                    .collect(Collectors.toList())) {
                String[] cells = line.split("\\|", -1);
                String name = cells[1].strip().replace("`", "");
                List<String> allowed = new ArrayList<>();
                Arrays.stream(cells[3].split(",", -1))
                        .map(cell -> cell.strip().replace("`", ""))
                        .forEach(allowed::add);
                table.put(name, allowed);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return table;
    }

    private static Path repositoryRoot() {
        Path at = Path.of("").toAbsolutePath();
        while (at != null && !Files.isDirectory(at.resolve("docs"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException("no folder above the working directory holds docs/");
        }
        return at;
    }
}
