package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The rules of {@code docs/examples/yorkie} are accepted, and the variant whose unique index lacks the shard key is not. The
 * blocks of the page show what the program prints; {@code -Dscatterguard.docs.update=true} writes them anew.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class YorkieExampleTest {
    private static final Path FOLDER = Repository.root().resolve("docs/examples/yorkie");
    private static final Pattern BLOCK = Pattern.compile("(?s)```console\n\\$ bin/scatterguard ([^\n]*)\n(.*?)```");

    private static CommandLineRun validate(String file) {
        return CommandLineRun.of("rules", "validate", FOLDER.resolve(file).toString());
    }

    @Test
    void theRulesAreAccepted() {
        CommandLineRun run = validate("rules.yaml");
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("5 rules: 0 errors, 0 warnings");
    }

    @Test
    void theVariantIsRejectedAndItsIndexNamed() {
        CommandLineRun run = validate("rules-broken.yaml");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out().lines().filter(line -> line.startsWith("error")))
                .singleElement()
                .asString()
                .contains("yorkie-meta.documents", "unique index {key: 1, removed_at: 1}", "{project_id: 1}");
    }

    /** They differ in nothing else, so that it is the index that decides. */
    @Test
    void theVariantDiffersInOneIndex() throws IOException {
        assertThat(rules("rules-broken.yaml")
                        .replace("- {key: 1, removed_at: 1}", "- {project_id: 1, key: 1, removed_at: 1}"))
                .isEqualTo(rules("rules.yaml"));
    }

    private static String rules(String file) throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        return text.substring(text.indexOf("shardingRules:"));
    }

    @Test
    void theBlocksOfThePageShowWhatTheProgramPrints() throws IOException {
        Path file = FOLDER.resolve("README.md");
        String page = Files.readString(file);
        StringBuilder printed = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            String[] words = block.group(1)
                    .replace("docs/", Repository.root() + "/docs/")
                    .split(" ");
            String now = "```console\n$ bin/scatterguard " + block.group(1) + "\n"
                    + CommandLineRun.of(words).out() + "```";
            block.appendReplacement(printed, Matcher.quoteReplacement(now));
        }
        block.appendTail(printed);
        if (Boolean.getBoolean("scatterguard.docs.update")) {
            Files.writeString(file, printed.toString());
        } else {
            assertThat(page).isEqualTo(printed.toString());
        }
        assertThat(printed).contains("5 rules: 0 errors", "5 rules: 1 error");
    }
}
