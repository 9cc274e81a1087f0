package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterAccessTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("PASSWORD", "s3cret", "URI", "mongodb://u:s3cret@h/", "TOKEN", "t0ken");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:s3cret@h/",
                "mongodb://u:s3cret@h",
                "mongodb+srv://u:s3cret@h/",
                "mongodb://u:s3cret${PASSWORD}@h/",
                "mongodb://u:${PASSWORD}s3cret@h/",
                "mongodb://u:s3/cret@h/",
                "mongodb://${USER}:s3cret@h/",
                "mongodb://h/?proxyPassword=s3cret",
                "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:s3cret",
            })
    void aSecretItselfIsTurnedDownAndNotRepeated(String uri) {
        assertThatThrownBy(() -> ClusterAccess.ofUri(uri, ENVIRONMENT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--uri: a password on the command line")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://h/",
                "mongodb://h1:27017,h2:27017/?replicaSet=cfg",
                "mongodb://[::1]:27017/",
                "mongodb://u@h/?authMechanism=MONGODB-X509",
                "mongodb://u:${PASSWORD}@h:27017/?authSource=admin",
                "mongodb://u:${PASSWORD}@h1:1,h2:2/",
                "${URI}",
                "mongodb://h/?authMechanismProperties=SERVICE_NAME:other",
                "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:${TOKEN}",
            })
    void whatHoldsNoneOrAReferenceIsTaken(String uri) {
        ClusterAccess access = ClusterAccess.ofUri(uri, ENVIRONMENT);
        assertThat(access.uri().reveal()).startsWith("mongodb://").doesNotContain("${");
        assertThat(access.toString()).doesNotContain("s3cret", "t0ken");
    }

    @Test
    void aFileIsReadAsInAConfiguration(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "s3cret\n");
        assertThat(ClusterAccess.ofUri("mongodb://u:${file:" + file + "}@h/", Map.of())
                        .uri()
                        .reveal())
                .isEqualTo("mongodb://u:s3cret@h/");
        assertThatThrownBy(() -> ClusterAccess.ofUri("mongodb://u:${file:none}@h/", Map.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("${file:none}: cannot be read");
        assertThatThrownBy(() -> ClusterAccess.ofUri("mongodb://u:${NONE}@h/", Map.of()))
                .hasMessageContaining("${NONE}: the environment variable is not set");
    }
}
