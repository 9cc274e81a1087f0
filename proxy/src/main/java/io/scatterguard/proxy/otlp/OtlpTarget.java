package io.scatterguard.proxy.otlp;

import java.net.URI;
import java.util.Map;

/**
 * Where an export goes, and as whose.
 *
 * @param endpoint what is posted to, over http or https; its path and query may hold what is secret
 * @param headers sent with every request; their values are secrets
 * @param serviceName the resource's {@code service.name}
 * @param instance its {@code service.instance.id}
 */
public record OtlpTarget(URI endpoint, Map<String, String> headers, String serviceName, String instance) {
    public OtlpTarget {
        headers = Map.copyOf(headers);
    }

    /** Without what may be secret. */
    @Override
    public String toString() {
        return endpoint.getHost() + ":" + endpoint.getPort();
    }
}
