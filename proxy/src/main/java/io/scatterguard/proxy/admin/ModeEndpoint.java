package io.scatterguard.proxy.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/v1/mode}: sets the mode of a listener, or of all, until it is taken back. */
public final class ModeEndpoint implements Endpoint {
    private static final Set<String> KEYS = Set.of("mode", "listener");

    /** What takes a mode back. */
    private static final String CONFIGURED = "configured";

    private static final String EXPECTED =
            Arrays.stream(Mode.values()).map(Mode::text).collect(Collectors.joining(" | ")) + " | " + CONFIGURED;

    private final Modes modes;

    /** The modes of a running proxy. */
    public interface Modes {
        /**
         * Sets one.
         *
         * @param listener as configured; null for all
         * @param mode null for what the configuration says
         * @return whether there is such a listener
         */
        boolean set(@Nullable HostAndPort listener, @Nullable Mode mode);

        /** The version of the policy in force. */
        long policyVersion();
    }

    public ModeEndpoint(Modes modes) {
        this.modes = modes;
    }

    @Override
    public Method method() {
        return Method.POST;
    }

    @Override
    public String path() {
        return "/api/v1/mode";
    }

    @Override
    public Access access() {
        return Access.CHANGE;
    }

    @Override
    public Answer answer(Question question) throws BadQuestionException {
        JsonNode asked = Json.read(question.body());
        requireKnown(asked);
        Mode mode = mode(asked.path("mode").asText(""));
        HostAndPort listener =
                asked.has("listener") ? listener(asked.path("listener").asText("")) : null;
        if (!modes.set(listener, mode)) {
            throw new BadQuestionException(
                    "listener: there is none (expected: a bind of the configuration, or none for all)");
        }
        return Answer.json(Map.of(
                "listener",
                listener == null ? "all" : listener.toString(),
                "mode",
                mode == null ? CONFIGURED : mode.text(),
                "policyVersion",
                modes.policyVersion()));
    }

    /** A misspelt {@code listener} would otherwise mean all of them. */
    private static void requireKnown(JsonNode asked) throws BadQuestionException {
        for (Iterator<String> names = asked.fieldNames(); names.hasNext(); ) {
            if (!KEYS.contains(names.next())) {
                throw new BadQuestionException("a key that is unknown (expected: mode, and listener or none for all)");
            }
        }
    }

    private static @Nullable Mode mode(String text) throws BadQuestionException {
        if (text.equals(CONFIGURED)) {
            return null;
        }
        return Arrays.stream(Mode.values())
                .filter(mode -> mode.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new BadQuestionException("mode: not one (expected: " + EXPECTED + ")"));
    }

    private static HostAndPort listener(String text) throws BadQuestionException {
        try {
            return HostAndPort.parse(text, -1);
        } catch (IllegalArgumentException e) {
            throw new BadQuestionException("listener: no address (expected: host:port)");
        }
    }
}
