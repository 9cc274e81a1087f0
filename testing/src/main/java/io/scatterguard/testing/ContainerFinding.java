package io.scatterguard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A query shape that a proxy in a container has found. Holds no values of commands.
 *
 * @param id the shape's hash, as in audit records and baselines
 * @param namespace {@code db.coll}
 * @param command its name, like {@code find}
 * @param shape the normalised command
 * @param missing the fields of the shard key that it does not give
 * @param times how many commands of this shape were findings
 * @param owner whose it is; {@code unowned} for nobody's
 */
public record ContainerFinding(
        String id, String namespace, String command, String shape, List<String> missing, long times, String owner) {
    public ContainerFinding {
        missing = List.copyOf(missing);
    }

    /** From an element of {@code findings} in the answer to {@code GET /api/v1/findings}. */
    static ContainerFinding of(JsonNode shape) {
        List<String> missing = new ArrayList<>();
        shape.path("missing").forEach(field -> missing.add(field.asText()));
        String database = shape.path("db").asText("");
        return new ContainerFinding(
                shape.path("shape").path("hash").asText(""),
                shape.has("coll") ? database + "." + shape.path("coll").asText() : database,
                shape.path("command").asText(""),
                shape.path("shape").path("text").asText(""),
                missing,
                shape.path("counts").path("findings").asLong(),
                shape.path("owner").asText("unowned"));
    }

    /** {@code c47ff0e7c7f1727c shop.orders find: missing customerId, once}, and the shape in a line of its own. */
    @Override
    public String toString() {
        return id + " " + namespace + " " + command + ": "
                + (missing.isEmpty() ? "" : "missing " + String.join(", ", missing) + ", ")
                + (times == 1 ? "once" : times + " times") + "\n  " + shape;
    }
}
