package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.FailOn;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.ReportFormat;
import io.scatterguard.tests.support.HostileRecords;
import io.scatterguard.tests.support.ReportSchemas;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Names are other people's: whatever is in them, every report is one of its format, and says it. */
class HostileReportsTest {
    private static final int RUNS = 40;
    private static final int RECORDS = 12;
    private static final Pattern TAG = Pattern.compile("</?([a-zA-Z!][a-zA-Z0-9]*)");
    private static final Set<String> TAGS = new TreeSet<>(Set.of(
            "!DOCTYPE",
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "main",
            "h1",
            "h2",
            "h3",
            "ul",
            "li",
            "strong",
            "p",
            "section",
            "div",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "span",
            "a",
            "code",
            "article",
            "dl",
            "dt",
            "dd",
            "pre"));

    @ParameterizedTest
    @EnumSource
    void everyReportIsSound(ReportFormat format) throws Exception {
        for (long seed = 1; seed <= RUNS; seed++) {
            Findings findings = new HostileRecords(seed).findings(RECORDS);
            assertThat(findings.all()).hasSize(RECORDS);
            String report =
                    format.of(findings, Colours.OFF, List.of(FailOn.values()).get((int) (seed % 3)));
            assertThat(encoded(report).remaining()).isPositive();
            assertThat(report.codePoints().filter(HostileReportsTest::isHidden).toArray())
                    .as("seed %d", seed)
                    .isEmpty();
            switch (format) {
                case TEXT -> isText(report, findings);
                case JSON -> isJson(new ObjectMapper().readTree(report).path("findings"), findings);
                case JUNIT -> isJUnit(report, findings);
                case SARIF -> isSarif(report, findings);
                case HTML -> isHtml(report);
            }
        }
    }

    private static ByteBuffer encoded(String report) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(report));
    }

    private static boolean isHidden(int c) {
        int type = Character.getType(c);
        return (type == Character.CONTROL && c != '\n')
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || c == 0x2028
                || c == 0x2029
                || (c & 0xfffe) == 0xfffe;
    }

    /** Whatever a name says, a line that begins a finding is one. */
    private static void isText(String report, Findings findings) {
        assertThat(report.lines().filter(line -> !line.isEmpty() && !line.startsWith("  ")))
                .hasSize(findings.all().size() + 1);
    }

    private static void isJson(JsonNode all, Findings findings) {
        assertThat(all).hasSize(findings.all().size());
        for (int i = 0; i < all.size(); i++) {
            Finding finding = findings.all().get(i);
            assertThat(all.path(i).path("id").asText()).isEqualTo(finding.id());
            assertThat(all.path(i).path("namespace").asText())
                    .isEqualTo(finding.subject().namespace());
            assertThat(all.path(i).path("shape").asText())
                    .isEqualTo(finding.subject().shape());
        }
    }

    private static void isJUnit(String report, Findings findings) throws Exception {
        assertThat(ReportSchemas.wrongJUnit(report)).isEmpty();
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(report)))
                .getDocumentElement();
        assertThat(root.getElementsByTagName("testcase").getLength())
                .isEqualTo(findings.all().size() + 1)
                .isEqualTo(Integer.parseInt(root.getAttribute("tests")));
        assertThat(root.getElementsByTagName("failure").getLength())
                .isEqualTo(Integer.parseInt(root.getAttribute("failures")));
    }

    private static void isSarif(String report, Findings findings) throws JsonProcessingException {
        assertThat(ReportSchemas.wrongSarif(report)).isEmpty();
        JsonNode results =
                new ObjectMapper().readTree(report).path("runs").path(0).path("results");
        assertThat(results).hasSize(findings.all().size());
        for (JsonNode result : results) {
            assertThat(result.path("message").path("text").asText()).doesNotContain("{", "}", "[", "]");
        }
    }

    private static void isHtml(String report) {
        Set<String> found = new TreeSet<>();
        TAG.matcher(report).results().forEach(tag -> found.add(tag.group(1)));
        assertThat(found).isSubsetOf(TAGS).contains("article");
        assertThat(report.toLowerCase(Locale.ROOT).split("<script|<img", -1)).hasSize(1);
        assertThat(report.chars().filter(c -> c == '<').count())
                .as("every < begins an element")
                .isEqualTo(TAG.matcher(report).results().count());
    }
}
