package io.scatterguard.proxy.admin;

import java.util.Map;

/**
 * What is answered.
 *
 * @param status of HTTP
 * @param body in UTF-8
 */
public record Answer(int status, String contentType, String body) {
    public static final String JSON = "application/json; charset=utf-8";

    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int TOO_LARGE = 413;
    static final int INTERNAL_ERROR = 500;
    static final int UNAVAILABLE = 503;

    /** {@code value} as JSON: records, maps, lists and what they are made of. */
    public static Answer json(Object value) {
        return json(OK, value);
    }

    /** Likewise with another status. */
    public static Answer json(int status, Object value) {
        return new Answer(status, JSON, Json.text(value));
    }

    /** {@code {"error": "…"}}. */
    public static Answer error(int status, String message) {
        return json(status, Map.of("error", message));
    }
}
