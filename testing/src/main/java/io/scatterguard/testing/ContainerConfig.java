package io.scatterguard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The configuration of a proxy in a container. */
final class ContainerConfig {
    static final String FOLDER = "/etc/scatterguard/";
    static final String FILE = FOLDER + "scatterguard.yaml";
    static final String RULES = FOLDER + "rules.yaml";
    static final String TOKEN = FOLDER + "token";
    static final int PROXY_PORT = 27_100;
    static final int ADMIN_PORT = 19_127;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String STRICT = "{mode: observe, default: {reads: refuse, writes: refuse}}";

    private final Map<String, Object> keys = new TreeMap<>();

    ContainerConfig() {
        keys.put("cluster", "tests");
        keys.put("admin", Map.of("bind", "0.0.0.0:" + ADMIN_PORT, "token", "${file:" + TOKEN + "}"));
        keys.put("audit", Map.of("sinks", List.of(), "findings", "every"));
        policy(STRICT);
    }

    void upstream(ScatterguardContainer.Upstream kind, List<String> hosts) {
        keys.put(
                "listeners",
                List.of(Map.of(
                        "bind", "0.0.0.0:" + PROXY_PORT, "upstream", Map.of("kind", kind.text(), "hosts", hosts))));
    }

    boolean hasUpstream() {
        return keys.containsKey("listeners");
    }

    void rules() {
        keys.put("shardingRulesFile", RULES);
    }

    /** @throws IllegalArgumentException if it is no mapping */
    void policy(String yaml) {
        JsonNode policy;
        try {
            policy = YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("policy: not YAML: " + e.getOriginalMessage(), e);
        }
        if (!policy.isObject()) {
            throw new IllegalArgumentException(
                    "policy: \"" + yaml + "\" (expected: a mapping, as below policy: in" + " docs/configuration.md)");
        }
        keys.put("policy", policy);
    }

    /** As JSON, which is YAML too. */
    String text() {
        try {
            return JSON.writeValueAsString(keys);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
