package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlPageTest {
    private final HtmlPage page = HtmlPage.titled("A & B");

    @Test
    void whatDataSaysIsTextAndShows() {
        page.open("p", "title", "\"><script>")
                .text("<b>'&'</b>\u202e\u0000\n\ud800")
                .close();
        assertThat(page.toHtml())
                .contains("<title>A &amp; B</title>")
                .contains("<p title=\"&quot;&gt;&lt;script&gt;\">"
                        + "&lt;b&gt;&#39;&amp;&#39;&lt;/b&gt;\\u202e\\u0000\\u000a\\ud800</p>");
    }

    @Test
    void aTableHasItsHeadingsAndCells() {
        page.section("days", "Days")
                .table(
                        "Per day",
                        List.of(HtmlPage.Column.text("day"), HtmlPage.Column.number("times")),
                        List.of(List.of("Monday", "3")))
                .close();
        assertThat(page.toHtml())
                .contains("<section id=\"days\"><h2>Days</h2>", "<caption>Per day</caption>")
                .contains("<th scope=\"col\" class=\"number\">times</th>")
                .contains("<tr><td class=\"text\">Monday</td><td class=\"number\">3</td></tr></tbody></table></div>");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page.table("t", List.of(HtmlPage.Column.text("a")), List.of(List.of())));
    }

    /** The policy names the style by its hash: of the bytes that stand in the page. */
    @Test
    void theOwnStyleIsAllowedAndNothingElse() throws Exception {
        String html = page.style(".bar { fill: var(--series-1); }\n").toHtml();
        Matcher style = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL).matcher(html);
        assertThat(style.find()).isTrue();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(style.group(1).getBytes(StandardCharsets.UTF_8));
        assertThat(html)
                .contains("content=\"default-src 'none'; style-src 'sha256-"
                        + Base64.getEncoder().encodeToString(hash) + "'; base-uri 'none'; form-action 'none'\"");
        assertThat(style.group(1)).contains(".bar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a { background: url(x) }", "@import 'x';", "</style>"})
    void aStyleFetchesNothing(String css) {
        assertThatIllegalArgumentException().isThrownBy(() -> page.style(css));
    }

    @ParameterizedTest
    @ValueSource(strings = {"script", "iframe", "img", "a b", "", "p>", "style"})
    void noOtherElementsThanHarmlessOnes(String element) {
        assertThatIllegalArgumentException().isThrownBy(() -> page.open(element));
    }

    @ParameterizedTest
    @ValueSource(strings = {"onclick", "style", "src", "x y", "a=b"})
    void noOtherAttributesThanHarmlessOnes(String attribute) {
        assertThatIllegalArgumentException().isThrownBy(() -> page.open("p", attribute, "x"));
    }

    @Test
    void linksGoToThePageOrToDocumentation() {
        assertThatIllegalArgumentException().isThrownBy(() -> page.open("a", "href", "javascript:alert(1)"));
        assertThatIllegalArgumentException().isThrownBy(() -> page.open("a", "href"));
        HtmlPage other = HtmlPage.titled("").element("a", "x", "href", "#x").element("a", "y", "href", "https://y/");
        assertThat(other.toHtml()).contains("<a href=\"#x\">x</a>", "<a href=\"https://y/\">y</a>");
    }

    @Test
    void whatIsOpenMustBeClosed() {
        page.open("p").open("br");
        assertThatIllegalStateException().isThrownBy(page::toHtml).withMessageContaining("[p]");
        assertThat(page.close().toHtml()).contains("<p><br></p>");
    }
}
