package io.scatterguard.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModeEndpointTest {
    private final List<String> done = new ArrayList<>();
    private final ModeEndpoint endpoint = new ModeEndpoint(new ModeEndpoint.Modes() {
        @Override
        public boolean set(@Nullable HostAndPort listener, @Nullable Mode mode) {
            done.add(listener + " " + mode);
            return true;
        }

        @Override
        public long policyVersion() {
            return 7;
        }
    });

    private Answer ask(String body) throws BadQuestionException {
        return endpoint.answer(new Question() {
            @Override
            public @Nullable String parameter(String name) {
                return null;
            }

            @Override
            public @Nullable String header(String name) {
                return null;
            }

            @Override
            public String body() {
                return body;
            }
        });
    }

    @Test
    void itSetsWhatIsNamed() throws BadQuestionException {
        assertThat(ask("{\"mode\": \"bypass\", \"listener\": \"127.0.0.1:27100\"}")
                        .status())
                .isEqualTo(200);
        ask("{\"mode\": \"configured\"}");
        assertThat(done).containsExactly("127.0.0.1:27100 BYPASS", "null null");
    }

    /** A key that is misspelt must not mean all listeners. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"mode\": \"enforce\", \"listner\": \"127.0.0.1:27100\"}",
                "{\"mode\": \"enforce\", \"listener\": null}",
                "{\"mode\": \"enforce\", \"listener\": 7}",
                "{\"mod\": \"enforce\"}",
                "{}",
                "[]",
                "7",
                "{\"mode\": \"enforced\"}",
                "no JSON"
            })
    void whatIsNotUnderstoodSetsNothing(String body) {
        assertThatThrownBy(() -> ask(body))
                .isInstanceOf(BadQuestionException.class)
                .hasMessageContaining("expected:");
        assertThat(done).isEmpty();
    }
}
