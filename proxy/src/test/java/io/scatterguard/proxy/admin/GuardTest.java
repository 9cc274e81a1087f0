package io.scatterguard.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.Secret;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final HostAndPort LOOPBACK = new HostAndPort("127.0.0.1", 19_127);
    private static final HostAndPort EVERYWHERE = new HostAndPort("0.0.0.0", 19_127);

    private final Guard local = Guard.of(new ObservationConfig.Admin(LOOPBACK, null));
    private final Guard localWithToken = Guard.of(new ObservationConfig.Admin(LOOPBACK, Secret.of(TOKEN)));
    private final Guard remote = Guard.of(new ObservationConfig.Admin(EVERYWHERE, Secret.of(TOKEN)));

    private static FakeQuestion from(String host) {
        return new FakeQuestion(Map.of(), Map.of("Host", host));
    }

    private static FakeQuestion showing(String host, String authorization) {
        return new FakeQuestion(Map.of(), Map.of("Host", host, "Authorization", authorization));
    }

    /** 0 for a question that may be asked. */
    private static int status(Guard guard, Endpoint.Access access, Question question) {
        Answer refusal = guard.refusal(access, question);
        return refusal == null ? 0 : refusal.status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:19127", "localhost:19127", "localhost", "[::1]:19127"})
    void whoeverIsOnTheMachineMayLook(String host) {
        assertThat(status(local, Endpoint.Access.READ, from(host))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example.com", "127.0.0.1.example.com:19127", "10.0.0.1:19127", "", "a b"})
    void aNameThatWasMadeToPointHereMayNot(String host) {
        assertThat(status(local, Endpoint.Access.READ, from(host))).isEqualTo(403);
        assertThat(status(local, Endpoint.Access.OPEN, from(host))).isZero();
    }

    @Test
    void withoutATokenNothingCanBeChanged() {
        assertThat(status(local, Endpoint.Access.CHANGE, showing("localhost", "Bearer " + TOKEN)))
                .isEqualTo(403);
        assertThat(status(Guard.open(), Endpoint.Access.CHANGE, from("localhost")))
                .isEqualTo(403);
    }

    @Test
    void aChangeNeedsTheTokenAndReadingOnThisMachineDoesNot() {
        assertThat(status(localWithToken, Endpoint.Access.READ, from("localhost")))
                .isZero();
        assertThat(status(localWithToken, Endpoint.Access.CHANGE, from("localhost")))
                .isEqualTo(401);
        assertThat(status(localWithToken, Endpoint.Access.CHANGE, showing("localhost", "Bearer " + TOKEN)))
                .isZero();
    }

    @Test
    void fromElsewhereReadingNeedsTheTokenToo() {
        assertThat(status(remote, Endpoint.Access.READ, from("proxy.example.com")))
                .isEqualTo(401);
        assertThat(status(remote, Endpoint.Access.OPEN, from("proxy.example.com")))
                .isZero();
        assertThat(status(remote, Endpoint.Access.READ, showing("proxy.example.com", "bearer " + TOKEN)))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer 0123456789abcde",
                "Bearer 0123456789abcdeg",
                "Bearer 0123456789abcdef0",
                "Basic 0123456789abcdef",
                "0123456789abcdef"
            })
    void aWrongTokenIsNone(String authorization) {
        Answer refusal = remote.refusal(Endpoint.Access.READ, showing("proxy", authorization));

        assertThat(refusal.status()).isEqualTo(401);
        assertThat(refusal.body()).doesNotContain("0123456789");
    }

    /** What an endpoint is asked. */
    record FakeQuestion(Map<String, String> parameters, Map<String, String> headers) implements Question {
        @Override
        public String parameter(String name) {
            return parameters.get(name);
        }

        @Override
        public String header(String name) {
            return headers.get(name);
        }

        @Override
        public String body() {
            return "";
        }
    }

    @Test
    void aTokenThatChangesCountsFromTheNextRequestOn() {
        String other = "fedcba9876543210";
        localWithToken.use(Secret.of(other));
        assertThat(status(localWithToken, Endpoint.Access.CHANGE, showing("localhost", "Bearer " + TOKEN)))
                .isEqualTo(401);
        assertThat(status(localWithToken, Endpoint.Access.CHANGE, showing("localhost", "Bearer " + other)))
                .isZero();
        localWithToken.use(null);
        assertThat(status(localWithToken, Endpoint.Access.CHANGE, showing("localhost", "Bearer " + other)))
                .isEqualTo(403);
        remote.use(null);
        assertThat(status(remote, Endpoint.Access.READ, from("10.1.2.3:19127")))
                .as("nobody may look where that needs a token and there is none")
                .isEqualTo(401);
    }
}
