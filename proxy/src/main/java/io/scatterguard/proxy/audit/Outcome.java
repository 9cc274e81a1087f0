package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/**
 * How a command ended.
 *
 * @param ok whether the reply said {@code ok: 1}; null if it was not seen (no reply, connection closed, not read)
 * @param code the error code of the reply; null if none was seen
 * @param nReturned how many documents the reply's batch held, or its {@code n}; null if unknown
 * @param proxyMicros time the command spent in the proxy before it was forwarded or answered
 * @param serverMicros time from forwarding to the end of the reply; 0 if it was not forwarded
 * @param requestBytes the request's {@code messageLength}
 * @param replyBytes the sum of the replies' {@code messageLength}
 * @param queryShapeHash the server's hash of the shape of what was explained, 64 hexadecimal digits; null if the reply has none
 */
public record Outcome(
        @Nullable Boolean ok,
        @Nullable Integer code,
        @Nullable Integer nReturned,
        long proxyMicros,
        long serverMicros,
        long requestBytes,
        long replyBytes,
        @Nullable String queryShapeHash) {
    /** Of a reply without a hash. */
    public Outcome(
            @Nullable Boolean ok,
            @Nullable Integer code,
            @Nullable Integer nReturned,
            long proxyMicros,
            long serverMicros,
            long requestBytes,
            long replyBytes) {
        this(ok, code, nReturned, proxyMicros, serverMicros, requestBytes, replyBytes, null);
    }
}
