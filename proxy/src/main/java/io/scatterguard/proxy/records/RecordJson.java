package io.scatterguard.proxy.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Audit records as trees of JSON. */
public final class RecordJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private RecordJson() {}

    /** The tree of a line, which may be anything. */
    public static JsonNode parse(String line) throws JsonProcessingException {
        return MAPPER.readTree(line);
    }

    /** The tree of a line of ours. */
    public static ObjectNode parse(byte[] line) throws IOException {
        return (ObjectNode) MAPPER.readTree(line);
    }
}
