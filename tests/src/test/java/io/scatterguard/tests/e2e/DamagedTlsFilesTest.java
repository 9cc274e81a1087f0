package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.TestPki;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in the files of TLS, they are used, or an error names key and file: never an exception of something inside. */
class DamagedTlsFilesTest {
    private static final int CASES = 300;
    private static final Pattern BASE64 = Pattern.compile("(?s)(?<=BEGIN [A-Z ]{1,20}-----)\\s.*?(?=-----END)");

    @TempDir
    private Path folder;

    private final Random random = new Random(20_261_201);
    private Path damaged;
    private TestPki pki;
    private X509Bundle bundle;

    @BeforeEach
    void start() {
        damaged = folder.resolve("damaged");
        pki = new TestPki(folder, "pki");
        bundle = pki.server();
    }

    private int refused(byte[] good, String listener, String server) throws IOException {
        ScatterguardConfig config = ConfigReader.read(
                "listeners: [{upstream: {hosts: a}, tls: {" + listener + "}}]\nserver: {" + server + "}", Map.of());
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] bytes = i == 0 ? good : damage(good);
            Files.write(damaged, bytes);
            try (TlsContexts opened = TlsContexts.open(config, new TlsOptions(SslProvider.JDK, Duration.ofHours(1)))) {
                assertThat(opened.listener(0)).isNotNull();
            } catch (ConfigException e) {
                assertThat(i)
                        .as(() -> "what is whole was refused: " + e.getMessage())
                        .isPositive();
                assertThat(e).hasMessageContaining(".tls.").hasMessageContaining(damaged.toString());
                assertThat(e.getMessage()).as("no cause is quoted as it is").doesNotContain("null", "Exception");
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "case " + i + ": " + Base64.getEncoder().encodeToString(bytes), e);
            }
        }
        return refused;
    }

    /** Of PEM, mostly what the Base64 stands for. */
    private byte[] damage(byte[] good) {
        String text = new String(good, StandardCharsets.ISO_8859_1);
        if (!text.contains("-----BEGIN") || random.nextInt(4) == 0) {
            return mutated(good);
        }
        return BASE64.matcher(text)
                .replaceAll(block -> Base64.getMimeEncoder()
                        .encodeToString(mutated(Base64.getMimeDecoder().decode(block.group())))
                        .concat("\n"))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private byte[] mutated(byte[] bytes) {
        int length = random.nextInt(5) == 0 ? random.nextInt(bytes.length) : bytes.length;
        byte[] copy = Arrays.copyOf(bytes, length);
        for (int i = 0; i < 1 + random.nextInt(3) && length > 0; i++) {
            // The beginning holds most of the structure.
            int at = random.nextBoolean() ? random.nextInt(Math.min(length, 48)) : random.nextInt(length);
            copy[at] = (byte) random.nextInt();
        }
        return copy;
    }

    @Test
    void certificateAndKeyInOneFile() throws IOException {
        byte[] good = Files.readAllBytes(pki.combinedFile("both.pem", bundle));
        assertThat(refused(good, "certificate: " + damaged, "auth: auto")).isGreaterThan(CASES / 2);
    }

    @Test
    void aKeyOfItsOwn() throws IOException {
        byte[] good = Files.readAllBytes(pki.keyFile("the.key", bundle));
        String certificate = "certificate: " + pki.certificateFile("the.pem", bundle);
        assertThat(refused(good, certificate + ", key: " + damaged, "auth: auto"))
                .isGreaterThan(CASES / 2);
    }

    @Test
    void aKeyInTheOlderForm() throws IOException {
        byte[] sec1 = sec1(bundle.getKeyPair().getPrivate().getEncoded());
        String good = "-----BEGIN EC PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(sec1) + "\n-----END EC PRIVATE KEY-----\n";
        String certificate = "certificate: " + pki.certificateFile("the.pem", bundle);
        assertThat(refused(good.getBytes(StandardCharsets.US_ASCII), certificate + ", key: " + damaged, "auth: auto"))
                .isGreaterThan(CASES / 2);
    }

    /** An ECPrivateKey (RFC 5915) on P-256 without its public key: the private one has to be found in {@code pkcs8}. */
    private static byte[] sec1(byte[] pkcs8) {
        String hex = java.util.HexFormat.of().formatHex(pkcs8);
        int at = hex.indexOf("0201010420") + "0201010420".length();
        return java.util.HexFormat.of()
                .parseHex("3031" + "0201010420" + hex.substring(at, at + 64) + "a00a06082a8648ce3d030107");
    }

    @Test
    void aKeyStore() throws IOException {
        byte[] good = Files.readAllBytes(pki.keyStoreFile("the.p12", bundle));
        assertThat(refused(good, "certificate: " + damaged + ", keyPassword: " + TestPki.PASSWORD, "auth: auto"))
                .isGreaterThan(CASES / 2);
    }

    @Test
    void authorities() throws IOException {
        byte[] good = Files.readAllBytes(pki.caFile());
        String listener = "certificate: " + pki.combinedFile("both.pem", bundle);
        assertThat(refused(good, listener, "tls: {ca: " + damaged + "}")).isGreaterThan(CASES / 4);
        assertThat(refused(good, listener + ", clientCa: " + damaged, "auth: auto"))
                .isGreaterThan(CASES / 4);
    }
}
