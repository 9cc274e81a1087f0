package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsProxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metric that certificates are watched by says when the certificate in use ends, also once another took its place. */
class TlsExpiryTest {
    private static final Instant FIRST = Instant.parse("2051-03-04T05:06:07Z");
    private static final Instant SECOND = Instant.parse("2052-08-09T10:11:12Z");

    @TempDir
    private Path folder;

    private static List<String> ends(TlsProxy proxy) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        proxy.runtime().metrics().write(out, null);
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("scatterguard_tls_certificate_expiry_timestamp_seconds{"))
                .toList();
    }

    private static long end(TlsProxy proxy) throws IOException {
        String line = ends(proxy).get(0);
        return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void itIsTheEndOfTheCertificateInUse() throws IOException {
        TestPki pki = new TestPki(folder, "expiry");
        X509Bundle first = pki.issue("CN=first", builder -> builder.notAfter(FIRST));
        Path file = pki.combinedFile("proxy.pem", first);
        TlsOptions often = new TlsOptions(TlsOptions.standard().provider(), Duration.ofMillis(50));
        try (ScriptedMongos mongos = ScriptedMongos.start().withCatalog(CatalogDocuments.shop());
                TlsProxy proxy = TlsProxy.start(TlsProxy.Setup.inFrontOf(mongos.address())
                        .listener(file)
                        .parts(RuntimeParts.standard().withTls(often)))) {
            assertThat(ends(proxy)).singleElement().asString().contains("tls=\"listeners[0].tls\"");
            assertThat(end(proxy)).isEqualTo(FIRST.getEpochSecond());

            pki.combinedFile("proxy.pem", pki.issue("CN=second", builder -> builder.notAfter(SECOND)));

            await().atMost(Duration.ofSeconds(30)).until(() -> end(proxy) == SECOND.getEpochSecond());
            assertThat(ends(proxy)).hasSize(1);
        }
    }

    @Test
    void thereIsNoneWithoutACertificate() throws IOException {
        try (ScriptedMongos mongos = ScriptedMongos.start().withCatalog(CatalogDocuments.shop());
                TlsProxy proxy = TlsProxy.start(TlsProxy.Setup.inFrontOf(mongos.address()))) {
            assertThat(ends(proxy)).isEmpty();
        }
    }
}
