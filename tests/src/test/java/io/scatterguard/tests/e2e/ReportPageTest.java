package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.FailOn;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.ReportFormat;
import io.scatterguard.tests.support.Chromium;
import io.scatterguard.tests.support.HostileRecords;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML report in a real browser. */
class ReportPageTest {
    private static final String ELSEWHERE = "leak.invalid";
    /** Of what a page says or is forbidden, with a number of its line. */
    private static final String CONSOLE = ":CONSOLE";

    @TempDir
    private Path folder;

    @BeforeAll
    static void browser() {
        Chromium.assumeAvailable();
    }

    private Path page(String name, Findings findings) throws IOException {
        return Files.writeString(folder.resolve(name), ReportFormat.HTML.of(findings, Colours.OFF, FailOn.NEW));
    }

    @Test
    void itFetchesNothingRunsNothingAndShowsEverything() throws IOException {
        Findings findings = new HostileRecords(7).findings(20);
        Path page = page("report.html", findings);
        assertThat(Files.readString(page)).contains(ELSEWHERE, "&lt;script&gt;");
        Chromium.Opened opened = new Chromium(folder).open(page);
        assertThat(opened.console()).doesNotContain(CONSOLE);
        assertThat(opened.network()).contains("constants").doesNotContain(ELSEWHERE);
        assertThat(opened.dom().split("<article ", -1)).hasSize(findings.all().size() + 1);
        assertThat(opened.dom())
                .contains("<title>Scatterguard findings</title>", "<h2>Overview</h2>")
                .doesNotContain("<script", "<img", "<b ");
    }

    /** What the other test looks for would be there. */
    @Test
    void aPageThatFetchesAndRunsIsNoticed() throws IOException {
        String html = Files.readString(page("sound.html", new HostileRecords(7).findings(1)));
        String image = "<img src=\"http://" + ELSEWHERE + "/x.png\">";
        Path forbidden = Files.writeString(folder.resolve("forbidden.html"), html.replace("<main>", "<main>" + image));
        Chromium.Opened blocked = new Chromium(folder).open(forbidden);
        assertThat(blocked.console()).contains(CONSOLE, "Content Security Policy");
        assertThat(blocked.network()).doesNotContain(ELSEWHERE);
        String open = html.replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "");
        Path allowed = Files.writeString(folder.resolve("allowed.html"), open.replace("<main>", "<main>" + image));
        assertThat(new Chromium(folder).open(allowed).network()).contains(ELSEWHERE);
    }

    @Test
    void itIsLightOrDarkAsTheReaderLikes() throws IOException {
        Path page = page("report.html", new HostileRecords(7).findings(20));
        assertThat(brightness(page, Chromium.Look.LIGHT, 1_200)).isGreaterThan(700);
        assertThat(brightness(page, Chromium.Look.DARK, 1_200)).isLessThan(150);
        assertThat(brightness(page, Chromium.Look.LIGHT, 400)).isGreaterThan(700);
    }

    /** Sum of the colours of a corner, which has no text. The pictures stay in target/reports, for people. */
    private int brightness(Path page, Chromium.Look look, int width) throws IOException {
        Path kept = Files.createDirectories(Path.of("target", "reports")).toAbsolutePath();
        String name = look.name().toLowerCase(Locale.ROOT) + "-" + width + ".png";
        Path picture = new Chromium(folder).picture(page, name, look, width, 1_600);
        BufferedImage image = ImageIO.read(picture.toFile());
        Files.copy(picture, kept.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        assertThat(image.getWidth()).isEqualTo(width);
        int corner = image.getRGB(2, 2);
        return (corner >> 16 & 0xff) + (corner >> 8 & 0xff) + (corner & 0xff);
    }
}
