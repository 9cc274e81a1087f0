package io.scatterguard.proxy.admin;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.Choice;
import io.scatterguard.proxy.config.NetworkRange;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.SecretUri;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;

/** Reads JSON, and writes it: what has a name in the configuration by that name, dates as text, of secrets only that there is one. */
final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            // The components of records, and not what they can be asked besides.
            .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .addModule(new SimpleModule()
                    .addSerializer(Choice.class, new TextSerializer<>(Choice.class, Choice::text))
                    .addSerializer(CommandName.class, new TextSerializer<>(CommandName.class, CommandName::text))
                    .addSerializer(NetworkRange.class, ToStringSerializer.instance)
                    .addSerializer(Secret.class, ToStringSerializer.instance)
                    .addSerializer(SecretUri.class, ToStringSerializer.instance)
                    .addSerializer(Temporal.class, ToStringSerializer.instance)
                    .addSerializer(TemporalAmount.class, ToStringSerializer.instance))
            .build();

    private Json() {}

    /** What a request says. */
    static JsonNode read(String body) throws BadQuestionException {
        try {
            JsonNode read = MAPPER.readTree(body);
            if (read != null && read.isObject()) {
                return read;
            }
        } catch (JsonProcessingException e) {
            throw new BadQuestionException("the body is no JSON (expected: an object)");
        }
        throw new BadQuestionException("the body is no object (expected: a JSON object)");
    }

    static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON of " + value.getClass().getSimpleName(), e);
        }
    }
}
