package io.scatterguard.proxy.offline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.scatterguard.proxy.routing.PredictedError;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome as one JSON object. The members {@code id}, {@code shards}, {@code placement}, {@code shape}, {@code error},
 * {@code upperBound} and {@code agree} are always there, null where they do not apply; {@code firstHop}, {@code reached}, {@code release},
 * {@code unpredictedError}, {@code detail}, {@code skipped} and {@code unreadable} only where there is something to say.
 */
final class OutcomeJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private OutcomeJson() {}

    static String of(Outcome outcome) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("id", outcome.id());
            prediction(outcome, json);
            if (outcome.agree() == null) {
                json.writeNullField("agree");
            } else {
                json.writeBooleanField("agree", outcome.agree());
            }
            remarks(outcome, json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }

    /** In the place of the outcome of a line that cannot be read. */
    static String unreadable(@Nullable String id, String message) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("id", id);
            noPrediction(json);
            json.writeNullField("agree");
            json.writeStringField("unreadable", message);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }

    private static void noPrediction(JsonGenerator json) throws IOException {
        for (String name : List.of("shards", "placement", "shape", "error", "upperBound")) {
            json.writeNullField(name);
        }
    }

    private static void prediction(Outcome outcome, JsonGenerator json) throws IOException {
        Prediction prediction = outcome.prediction();
        if (prediction == null) {
            noPrediction(json);
            return;
        }
        names("shards", prediction.shards(), json);
        json.writeStringField(
                "placement",
                prediction.placement() == null ? null : prediction.placement().text());
        json.writeStringField(
                "shape", prediction.shape() == null ? null : prediction.shape().text());
        PredictedError error = prediction.error();
        if (error == null) {
            json.writeNullField("error");
        } else {
            json.writeObjectFieldStart("error");
            json.writeNumberField("code", error.code());
            json.writeStringField("codeName", error.codeName());
            json.writeEndObject();
        }
        json.writeBooleanField("upperBound", prediction.upperBound());
    }

    private static void remarks(Outcome outcome, JsonGenerator json) throws IOException {
        Prediction prediction = outcome.prediction();
        if (prediction != null && !prediction.firstHop().isEmpty()) {
            names("firstHop", prediction.firstHop(), json);
        }
        if (prediction != null && !prediction.reached().isEmpty()) {
            names("reached", prediction.reached(), json);
        }
        if (outcome.release() != null) {
            json.writeStringField("release", outcome.release().toString());
        }
        if (outcome.unpredicted() != null) {
            json.writeNumberField("unpredictedError", outcome.unpredicted());
        }
        if (!outcome.detail().isEmpty()) {
            json.writeStringField("detail", outcome.detail());
        }
        if (outcome.skipped() != null) {
            json.writeStringField("skipped", outcome.skipped());
        }
    }

    private static void names(String field, List<String> names, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(field);
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
    }
}
