package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.OtlpEndpoint;
import io.scatterguard.proxy.otlp.OtlpTarget;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes what a configuration wants to be sent to OpenTelemetry collectors. */
final class OtlpWiring {
    private OtlpWiring() {}

    static OtlpTarget target(OtlpEndpoint endpoint) {
        Map<String, String> headers = new LinkedHashMap<>();
        endpoint.headers()
                .forEach(header -> headers.put(header.name(), header.value().reveal()));
        return new OtlpTarget(endpoint.uri(), headers, "scatterguard", instance());
    }

    /** This process among those of the cluster: the host's name and the process's number. */
    static String instance() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown";
        }
        return host + "/" + ProcessHandle.current().pid();
    }
}
