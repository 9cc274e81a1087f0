package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.scatterguard.proxy.config.ListenerTlsConfig.ClientCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sections {@code listeners[].tls} and {@code server.tls} say, and what is wrong with them. */
class TlsConfigTest {
    private static ScatterguardConfig listener(String tls) {
        return ConfigReader.read("listeners: [{upstream: {hosts: a}, tls: {" + tls + "}}]", Map.of("SECRET", "s3cret"));
    }

    private static ScatterguardConfig server(String tls) {
        return ConfigReader.read("listeners: [{upstream: {hosts: [a, b]}}]\nserver: {tls: {" + tls + "}}", Map.of());
    }

    @Test
    void withoutTheSectionsNothingIsEncrypted() {
        ScatterguardConfig config =
                ConfigReader.read("listeners: [{tls: , upstream: {hosts: a}}]\nserver: {tls: }", Map.of());
        assertThat(config.listeners().get(0).tls()).isNull();
        assertThat(config.server().tls()).isNull();
        assertThat(config.catalog().uri().reveal()).isEqualTo("mongodb://a:27017/");
    }

    @Test
    void aListenerNeedsACertificateOnly() {
        ListenerTlsConfig tls =
                listener("certificate: a.pem").listeners().get(0).tls();
        assertThat(tls.identity().key()).isNull();
        assertThat(tls.clientCertificates()).isEqualTo(ClientCertificates.NONE);
        assertThat(tls.minVersion()).isEqualTo(TlsVersion.TLS1_2);
        assertThat(tls.ciphers()).isEmpty();
    }

    @Test
    void clientsNeedACertificateWhereTheirCaIsNamed() {
        assertThat(listener("certificate: a, clientCa: b")
                        .listeners()
                        .get(0)
                        .tls()
                        .clientCertificates())
                .isEqualTo(ClientCertificates.REQUIRED);
        assertThat(listener("certificate: a, clientCa: b, clientCertificates: optional")
                        .listeners()
                        .get(0)
                        .tls()
                        .clientCertificates())
                .isEqualTo(ClientCertificates.OPTIONAL);
    }

    @Test
    void filesAreRelativeToTheConfiguration(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("c.yaml"),
                "listeners: [{upstream: {hosts: a}, tls: {certificate: tls/a.pem, key: /etc/a.key}}]");
        TlsIdentityConfig identity =
                ConfigReader.read(file, Map.of()).listeners().get(0).tls().identity();
        assertThat(identity.certificate()).isEqualTo(folder.resolve("tls/a.pem"));
        assertThat(identity.key()).isEqualTo(Path.of("/etc/a.key"));
    }

    @Test
    void aPasswordIsNeverPrinted() {
        ScatterguardConfig config = listener("certificate: a, keyPassword: '${SECRET}'");
        assertThat(config.listeners().get(0).tls().identity().keyPassword().reveal())
                .isEqualTo("s3cret");
        assertThat(config.toString()).contains("keyPassword=***").doesNotContain("s3cret");
    }

    @Test
    void theMetadataIsReadByTheSameTlsThroughTheListenersHosts() {
        assertThat(server("ca: ca.pem").catalog().uri().reveal()).isEqualTo("mongodb://a:27017,b:27017/?tls=true");
        assertThat(server("ca: ca.pem, hostnameCheck: false").catalog().uri().reveal())
                .isEqualTo("mongodb://a:27017,b:27017/?tls=true&tlsAllowInvalidHostnames=true");
        assertThat(ConfigReader.read(
                                "{listeners: [{upstream: {hosts: a}}], server: {tls: {ca: x}}, catalog: {uri: 'mongodb://c/'}}",
                                Map.of())
                        .catalog()
                        .uri()
                        .reveal())
                .as("what was written stays")
                .isEqualTo("mongodb://c/");
    }

    private static ScatterguardConfig catalog(String uri, String server) {
        return ConfigReader.read(
                "listeners: [{upstream: {hosts: a}}]\nserver: {" + server + "}\ncatalog: {uri: '" + uri + "'}",
                Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:s3cret@c/",
                "mongodb://u:s3cret@c/?authSource=admin",
                "mongodb://u:s3cret@c/?xtls=true",
                "mongodb://c/?authMechanism=MONGODB-AWS"
            })
    void credentialsAreNotSentWithoutTlsByAnOversight(String uri) {
        assertThat(catchThrowableOfType(ConfigException.class, () -> catalog(uri, "tls: {ca: x}")))
                .hasMessageContaining("catalog.uri: holds credentials and says nothing of TLS")
                .hasMessageContaining("tls=true")
                .hasMessageNotContaining("s3cret");
        assertThat(catalog(uri, "auth: auto").catalog().uri().reveal())
                .as("where no TLS is configured, none is expected")
                .isEqualTo(uri);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:p@c/?tls=true",
                "mongodb://u:p@c/?authSource=admin&TLS=false",
                "mongodb://u:p@c/?ssl=true",
                "mongodb+srv://u:p@c.example.org/",
                "mongodb://c/"
            })
    void aConnectionStringThatDecidesOnTlsOrHoldsNothingStays(String uri) {
        assertThat(catalog(uri, "tls: {ca: x}").catalog().uri().reveal()).isEqualTo(uri);
    }

    @Test
    void theJvmsOwnCasAreAskedForByName() {
        assertThat(server("ca: system").server().tls().ca()).isNull();
        assertThat(server("ca: system").server().tls().hostnameCheck()).isTrue();
        assertThat(server("ca: ./system").server().tls().ca()).isEqualTo(Path.of("./system"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "certificate: '' # certificate: \"\" (expected: a file's path)",
                "key: a # ~certificate: missing (expected: a PEM or PKCS#12 file)~",
                "certificate: a, clientCertificates: required # clientCertificates: required without clientCa"
                        + " (expected: clientCa, a PEM file with the CA of the clients)",
                "certificate: a, clientCertificates: optional # clientCertificates: optional without clientCa"
                        + " (expected: clientCa, a PEM file with the CA of the clients)",
                "certificate: a, clientCa: b, clientCertificates: none # clientCa: without effect with"
                        + " clientCertificates: none (expected: one of both)",
                "certificate: a, clientCertificates: yes # clientCertificates: \"yes\" (expected: required | optional | none)",
                "certificate: a, minVersion: TLS1.1 # minVersion: \"TLS1.1\" (expected: TLS1.2 | TLS1.3)",
                "certificate: a, ciphers: ECDHE-RSA # ciphers: \"ECDHE-RSA\" (expected: the IANA name of a suite of TLS 1.2,"
                        + " like TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; those of TLS 1.3 are always on)",
                "certificate: a, ciphers: TLS_RSA_WITH_A, minVersion: TLS1.3 # ciphers: without effect with"
                        + " minVersion: TLS1.3, whose suites are always on (remove it)",
                "certificate: a, keyPassword: [s3cret] # keyPassword: a list (expected: a password; best as ${file:path})",
                "certificate: a, ca: b # ca: unknown key (known here: certificate, key, keyPassword,"
                        + " clientCa, clientCertificates, minVersion, ciphers)",
            })
    void whatIsWrongWithAListenerIsNamed(String tls, String expected) {
        ConfigException rejected = catchThrowableOfType(ConfigException.class, () -> listener(tls));
        assertThat(rejected.errors())
                .extracting(error -> error.path() + ": " + error.problem())
                .containsExactly("listeners[0].tls." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "~~ # ca: missing (expected: a PEM file, or system for whom the JVM trusts)",
                "ca: # ca: nothing (expected: a text)",
                "ca: [a] # ca: a list (expected: a text)",
                "ca: a, key: b # ~certificate: missing (expected: a PEM or PKCS#12 file)~",
                "ca: a, hostnameCheck: no # hostnameCheck: \"no\" (expected: true | false)",
                "ca: a, minVersion: 1.3 # minVersion: \"1.3\" (expected: TLS1.2 | TLS1.3)",
            })
    void whatIsWrongWithServersIsNamed(String tls, String expected) {
        ConfigException rejected = catchThrowableOfType(ConfigException.class, () -> server(tls == null ? "" : tls));
        assertThat(rejected.errors())
                .extracting(error -> error.path() + ": " + error.problem())
                .containsExactly("server.tls." + expected);
    }
}
