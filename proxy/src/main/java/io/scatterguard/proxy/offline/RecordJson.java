package io.scatterguard.proxy.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Audit records as trees of JSON. */
final class RecordJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private RecordJson() {}

    static JsonNode parse(String line) throws JsonProcessingException {
        return MAPPER.readTree(line);
    }

    static ObjectNode parse(byte[] line) throws IOException {
        return (ObjectNode) MAPPER.readTree(line);
    }
}
