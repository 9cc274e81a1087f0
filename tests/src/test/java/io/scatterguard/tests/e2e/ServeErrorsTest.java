package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code serve} says, and by which code it ends, where it cannot start; never with a secret in it. */
@ResourceLock(Resources.SYSTEM_OUT)
class ServeErrorsTest {
    @TempDir
    private Path folder;

    private CommandLineRun serve(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("c.yaml"), yaml);
        CommandLineRun run = CommandLineRun.of("serve", "--config", file.toString());
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).doesNotContain("s3cret", "\tat ");
        return run;
    }

    /** Whoever notices it: the reader of the file, that of TLS, or the driver. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "tls: {certificate: missing.pem, keyPassword: s3cret} # # listeners[0].tls.certificate: ",
                "tls: {certificate: c.yaml, keyPassword: s3cret} # # listeners[0].tls.certificate: ",
                "tls: {keyPassword: s3cret} # # listeners[0].tls.certificate: missing",
                "# server: {tls: {ca: c.yaml, keyPassword: s3cret}} # server.tls.certificate: missing",
                "# catalog: {uri: 'mongodb://u:s3cret@h/?authMechanism=s3cret'} # catalog.uri: not a MongoDB connection string",
                "# catalog: {uri: 'mongodb://u:s3cret@h:0x/'} # catalog.uri: not a MongoDB connection string",
                "# catalog: {uri: 'mongodb://u:s3@cret@h/'} # catalog.uri: not a connection string",
            })
    void aConfigurationThatCannotBeUsedEndsItWithTwo(String listener, String more, String expected) throws IOException {
        CommandLineRun run = serve("""
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { hosts: "127.0.0.1:1" }
                    %s
                %s
                """.formatted(listener == null ? "" : listener, more == null ? "" : more));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("configuration ")
                .contains(": 1 error\n", expected)
                .doesNotContain("Exception");
    }

    @Test
    void anAddressThatIsTakenEndsItWithOne() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandLineRun run = serve("""
                    listeners:
                      - bind: 127.0.0.1:%d
                        upstream: { hosts: "127.0.0.1:1" }
                    """.formatted(taken.getLocalPort()));
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("127.0.0.1:" + taken.getLocalPort(), "another process");
        }
    }
}
