package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.config.ConfigError;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.TestPki;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which certificates and keys come, and what is said of files that are none. */
class TlsFilesTest {
    @TempDir
    private Path folder;

    private TestPki pki() {
        return new TestPki(folder, "files");
    }

    private static void load(String tls, SslProvider provider) {
        ScatterguardConfig config =
                ConfigReader.read("listeners: [{upstream: {hosts: a}, tls: {" + tls + "}}]", Map.of());
        TlsContexts.open(config, new TlsOptions(provider, TlsOptions.standard().reloadInterval()))
                .close();
    }

    private static void assertGood(String tls) {
        for (SslProvider provider : List.of(SslProvider.JDK, SslProvider.OPENSSL)) {
            assertThatCode(() -> load(tls, provider))
                    .as("%s by %s", tls, provider)
                    .doesNotThrowAnyException();
        }
    }

    private static ConfigError rejected(String tls) {
        ConfigException error = catchThrowableOfType(ConfigException.class, () -> load(tls, SslProvider.JDK));
        assertThat(error).as(tls).isNotNull();
        assertThat(error.errors()).hasSize(1);
        return error.errors().get(0);
    }

    private void assertRejected(String tls, String key, Path file, String... parts) {
        ConfigError error = rejected(tls);
        assertThat(error.path()).isEqualTo("listeners[0].tls." + key);
        assertThat(error.problem()).startsWith(file + ": ").contains(parts).doesNotContain("s3cret");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + label
                + "-----\n";
    }

    /** As OpenSSL wrote keys before PKCS#8: {@code RSA PRIVATE KEY}, {@code EC PRIVATE KEY}. */
    private static String traditional(PrivateKey key) throws IOException {
        if (key instanceof ECPrivateKey ec) {
            return pem("EC PRIVATE KEY", sec1(ec));
        }
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }
        return text.toString();
    }

    /** With the name of the curve in it, which Java leaves out. */
    private static byte[] sec1(ECPrivateKey key) throws IOException {
        return new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), null, SECObjectIdentifiers.secp256r1)
                .getEncoded();
    }

    private static String traditionalEncrypted(PrivateKey key, String password) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(
                    key,
                    new JcePEMEncryptorBuilder("AES-128-CBC")
                            .setProvider(new BouncyCastleProvider())
                            .build(password.toCharArray()));
        }
        return text.toString();
    }

    /** As {@code openssl pkcs8 -topk8} writes it by default. */
    private static String encrypted(PrivateKey key, String password) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(new JcaPKCS8Generator(
                    key,
                    new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                            .setProvider(new BouncyCastleProvider())
                            .setPRF(PKCS8Generator.PRF_HMACSHA256)
                            .setPassword(password.toCharArray())
                            .build()));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyUsualFormIsRead(boolean rsa) throws Exception {
        TestPki pki = pki();
        X509Bundle bundle = pki.issue("CN=a", builder -> rsa ? builder.rsa2048() : builder.ecp256());
        PrivateKey key = bundle.getKeyPair().getPrivate();
        Path certificate = pki.certificateFile("a.pem", bundle);
        String old = traditional(key);
        assertThat(old).contains(rsa ? "BEGIN RSA PRIVATE KEY" : "BEGIN EC PRIVATE KEY");

        assertGood("certificate: " + certificate + ", key: " + pki.keyFile("a.key", bundle));
        assertGood("certificate: " + pki.combinedFile("both.pem", bundle));
        assertGood("certificate: " + file("key-first.pem", bundle.getPrivateKeyPEM() + bundle.getCertificatePEM()));
        assertGood("certificate: " + certificate + ", key: " + file("old.key", old));
        assertGood("certificate: "
                + file("crlf.pem", "Bag Attributes\n friendlyName: x\n" + bundle.getCertificatePEM() + old)
                        .toString());
        assertGood("certificate: " + certificate + ", keyPassword: s3cret, key: "
                + file("encrypted.key", encrypted(key, "s3cret")));
        assertGood("certificate: " + pki.keyStoreFile("a.p12", bundle) + ", keyPassword: " + TestPki.PASSWORD);
    }

    @Test
    void aWrongPasswordIsNamedAndNotShown() throws Exception {
        TestPki pki = pki();
        X509Bundle bundle = pki.server();
        Path certificate = pki.certificateFile("a.pem", bundle);
        Path key = file("encrypted.key", encrypted(bundle.getKeyPair().getPrivate(), "right"));
        Path store = pki.keyStoreFile("a.p12", bundle);
        assertRejected(
                "certificate: " + certificate + ", key: " + key + ", keyPassword: s3cret",
                "key",
                key,
                "the password is wrong");
        assertRejected("certificate: " + certificate + ", key: " + key, "key", key, "encrypted", "\"keyPassword\"");
        assertRejected(
                "certificate: " + store + ", keyPassword: s3cret",
                "certificate",
                store,
                "the password of \"keyPassword\"");
        assertRejected("certificate: " + store, "certificate", store, "no password opens");
    }

    @Test
    void whatIsNoKeyOrNoCertificateIsNamed() throws Exception {
        TestPki pki = pki();
        X509Bundle bundle = pki.server();
        Path certificate = pki.certificateFile("a.pem", bundle);
        Path key = pki.keyFile("a.key", bundle);
        Path missing = folder.resolve("missing.pem");
        Path empty = file("empty.pem", "");
        Path half = file("half.pem", bundle.getCertificatePEM().substring(0, 200));
        Path noBase64 = file("noBase64.pem", "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n");
        Path noDer = file("noDer.pem", pem("CERTIFICATE", new byte[40]));
        Path noKey = file("noKey.key", pem("PRIVATE KEY", new byte[40]));
        Path noEcKey = file("noEcKey.key", pem("EC PRIVATE KEY", new byte[] {0x30, (byte) 0x84, 127, -1, -1, -1, 4}));
        Path dsa = file("dsa.key", pem("DSA PRIVATE KEY", new byte[40]));
        Path legacy =
                file("legacy.key", traditionalEncrypted(bundle.getKeyPair().getPrivate(), "s3cret"));
        Path foreign = pki.keyFile("foreign.key", pki.server());
        Path rsa = pki.keyFile("rsa.key", pki.issue("CN=b", CertificateBuilder::rsa2048));
        Path store = pki.keyStoreFile("a.p12", bundle);

        assertRejected("certificate: " + missing, "certificate", missing, "does not exist");
        assertRejected("certificate: " + folder, "certificate", folder, "cannot be read");
        assertRejected("certificate: " + empty, "certificate", empty, "neither PEM nor a PKCS#12 file");
        assertRejected("certificate: " + key, "certificate", key, "no certificate in it");
        assertRejected("certificate: " + certificate, "certificate", certificate, "no private key in it", "\"key\"");
        assertRejected("certificate: " + half, "certificate", half, "begins and does not end");
        assertRejected("certificate: " + noBase64, "certificate", noBase64, "not Base64");
        assertRejected("certificate: " + noDer, "certificate", noDer, "cannot be read");
        String with = "certificate: " + certificate + ", key: ";
        assertRejected(with + noKey, "key", noKey, "cannot be read");
        assertRejected(with + noEcKey, "key", noEcKey, "cannot be read");
        assertRejected(with + dsa, "key", dsa, "DSA PRIVATE KEY", "openssl pkcs8");
        assertRejected(with + legacy + ", keyPassword: s3cret", "key", legacy, "before PKCS#8", "openssl pkcs8");
        assertRejected(with + foreign, "key", foreign, "not that of the certificate of");
        assertRejected(with + rsa, "key", rsa, "not that of the certificate of");
        assertRejected("certificate: " + store + ", key: " + key, "key", key, "PKCS#12");
        String good = "certificate: " + pki.combinedFile("both.pem", bundle);
        assertRejected(good + ", clientCa: " + key, "clientCa", key, "no certificate in it");
        assertRejected(good + ", clientCa: " + store, "clientCa", store, "not PEM");
        assertThat(rejected(good + ", ciphers: TLS_RSA_WITH_ROT13").problem())
                .startsWith("TLS_RSA_WITH_ROT13: not known to JDK")
                .contains("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
        assertThat(rejected(good + ", clientCa: " + missing).problem())
                .as("no PKCS#12, which would be turned down next")
                .endsWith("does not exist (expected: a PEM file)");
        assertThat(rejected("certificate: " + folder).problem()).contains("it is a folder");
    }

    /** What the message expects is accepted. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void everyCipherThatIsSuggestedIsTaken(SslProvider provider) {
        String good = "certificate: " + pki().combinedFile("both.pem", pki().server());
        String problem = catchThrowableOfType(
                        ConfigException.class, () -> load(good + ", ciphers: TLS_RSA_WITH_ROT13", provider))
                .errors()
                .get(0)
                .problem();
        String suggested = problem.substring(problem.indexOf("some of ") + "some of ".length(), problem.length() - 1);
        assertThat(suggested.split(", ")).hasSizeGreaterThan(4);
        assertThatCode(() -> load(good + ", ciphers: [" + suggested + "]", provider))
                .doesNotThrowAnyException();
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnce() {
        ScatterguardConfig config = ConfigReader.read("""
                listeners:
                  - { upstream: { hosts: a }, bind: "127.0.0.1:1", tls: { certificate: /no/a.pem } }
                  - { upstream: { hosts: a }, bind: "127.0.0.1:2", tls: { certificate: /no/b.pem } }
                server: { tls: { ca: /no/ca.pem } }
                """, Map.of());
        ConfigException error =
                catchThrowableOfType(ConfigException.class, () -> TlsContexts.open(config, TlsOptions.standard()));
        assertThat(error.errors())
                .extracting(ConfigError::path)
                .containsExactly("listeners[0].tls.certificate", "listeners[1].tls.certificate", "server.tls.ca");
    }

    /** Lengths that lie, in the forms that are read by code of ours. */
    @Test
    void aKeyThatIsCutOffAnywhereIsAnErrorAndNothingElse() throws Exception {
        TestPki pki = pki();
        X509Bundle bundle = pki.server();
        Path certificate = pki.certificateFile("a.pem", bundle);
        byte[] der = sec1((ECPrivateKey) bundle.getKeyPair().getPrivate());
        for (int length = 0; length < der.length; length++) {
            Path cut = file("cut.key", pem("EC PRIVATE KEY", Arrays.copyOf(der, length)));
            assertRejected("certificate: " + certificate + ", key: " + cut, "key", cut, "");
        }
    }
}
