package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.ConfigKeys;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What merging breaks in the pages for people without anybody seeing it: links, tables, names of keys. */
class PagesTest {
    private static final Path ROOT = Repository.root();
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?://)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern KEY = Pattern.compile("`((?:limits|server|audit|listeners\\[])\\.[A-Za-z.\\[\\]_]+)`");

    /** Named to say that it is not there yet. */
    private static final Set<String> OTHER_KEYS = Set.of("audit.findings");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT);
                Stream<Path> docker = Files.list(ROOT.resolve("docker"))) {
            List<Path> pages = Stream.of(docs, top, docker)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
            assertThat(pages).hasSizeGreaterThan(8);
            return pages;
        }
    }

    private static String prose(Path page) throws IOException {
        return FENCED.matcher(Files.readString(ROOT.resolve(page))).replaceAll("");
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(prose(page));
        while (heading.find()) {
            anchors.add(heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9 _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) throws IOException {
        Path folder = ROOT.resolve(page).getParent();
        Matcher link = LINK.matcher(prose(page));
        while (link.find()) {
            Path target = link.group(1).isEmpty()
                    ? ROOT.resolve(page)
                    : folder.resolve(link.group(1)).normalize();
            assertThat(target).as(link.group()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(ROOT.relativize(target))).as(link.group()).contains(link.group(2));
            }
        }
    }

    /** A blank line inside a table ends it, and the rows behind it are shown as text. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyTableBeginsWithItsHead(Path page) throws IOException {
        List<String> lines = prose(page).lines().toList();
        List<String> headless = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean first =
                    lines.get(i).startsWith("|") && (i == 0 || !lines.get(i - 1).startsWith("|"));
            if (first && (i + 1 == lines.size() || !lines.get(i + 1).startsWith("|--"))) {
                headless.add(lines.get(i));
            }
        }
        assertThat(headless).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyKeyThatIsNamedExists(Path page) throws IOException {
        Matcher key = KEY.matcher(prose(page));
        Set<String> unknown = new HashSet<>();
        while (key.find()) {
            unknown.add(key.group(1));
        }
        ConfigKeys.paths().forEach(unknown::remove);
        unknown.removeAll(OTHER_KEYS);
        assertThat(unknown).isEmpty();
    }
}
