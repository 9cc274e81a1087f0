package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.ServeProcess;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that still waits for its first metadata, because its servers do not answer, is told the way out already. */
class ModeBeforeListeningTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ADMIN = Pattern.compile("answering HTTP: name=admin bind=127\\.0\\.0\\.1:(\\d+)");
    private static final String[] TOKEN = {"Authorization", "Bearer a-token-of-the-tests"};

    @Test
    void itHoldsOnceItListens(@TempDir Path folder) throws Exception {
        try (ServerSocket silent = new ServerSocket(0);
                ServeProcess serve = ServeProcess.start(folder, """
                        listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["127.0.0.1:%d"] } } ]
                        policy: { mode: enforce }
                        audit: { sinks: [] }
                        admin: { bind: "127.0.0.1:0", token: a-token-of-the-tests }
                        """.formatted(silent.getLocalPort()))) {
            await().atMost(PATIENCE).until(() -> ADMIN.matcher(serve.log()).find());
            Matcher found = ADMIN.matcher(serve.log());
            assertThat(found.find()).isTrue();
            HostAndPort admin = new HostAndPort("127.0.0.1", Integer.parseInt(found.group(1)));
            HttpAnswer wrong = HttpAnswer.post(
                    admin, "/api/v1/mode", "{\"mode\": \"bypass\", \"listener\": \"127.0.0.1:1\"}", TOKEN);
            assertThat(wrong.status()).isEqualTo(400);
            HttpAnswer set = HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"bypass\"}", TOKEN);
            assertThat(serve.log()).as("it was told before it listened").doesNotContain("listening: ");
            assertThat(set.status()).as(set.text()).isEqualTo(200);

            serve.port();
            await().atMost(PATIENCE).until(() -> !listeners(admin).isEmpty());
            assertThat(listeners(admin))
                    .containsExactly(BsonDocument.parse("{listener: '127.0.0.1:0', mode: 'bypass', bypassed: true}"));
            assertThat(serve.log()).containsPattern("listening: .* mode=bypass");
        }
    }

    private static List<BsonValue> listeners(HostAndPort admin) {
        return HttpAnswer.get(admin, "/api/v1/status").json().getArray("listeners");
    }
}
