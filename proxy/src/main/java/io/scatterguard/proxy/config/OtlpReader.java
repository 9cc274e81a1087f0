package io.scatterguard.proxy.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the keys {@code endpoint} and {@code headers} of whatever is sent to an OpenTelemetry collector. */
final class OtlpReader {
    private static final String HEADER_VALUE = "a text; best as ${file:path}";

    private OtlpReader() {}

    /** {@code path}: where collectors take it by default, for people: {@code /v1/logs}. */
    static Optional<OtlpEndpoint> endpoint(Section section, String path) {
        String expected = "http://host:port" + path + ", or https, without a password";
        section.require("endpoint", expected);
        Optional<URI> uri = section.value("endpoint", expected, text -> parse(text, expected));
        List<OtlpEndpoint.Header> headers = new ArrayList<>();
        section.children("headers").forEach(child -> header(child).ifPresent(headers::add));
        return uri.map(at -> new OtlpEndpoint(at, headers));
    }

    private static Optional<OtlpEndpoint.Header> header(Section section) {
        section.require("name", "a header's name");
        section.require("value", HEADER_VALUE);
        Optional<String> name = section.text("name");
        Optional<Secret> value = section.secret("value", HEADER_VALUE, Secret::of);
        return name.isPresent() && value.isPresent()
                ? section.build(() -> new OtlpEndpoint.Header(name.get(), value.get()))
                : Optional.empty();
    }

    private static URI parse(String text, String expected) {
        URI uri = URI.create(text);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException(expected);
        }
        return uri;
    }
}
