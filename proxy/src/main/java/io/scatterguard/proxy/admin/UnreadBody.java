package io.scatterguard.proxy.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * What a client still sends of a request that is answered already. A connection that is closed with bytes unread is
 * reset, and a reset makes the client's system throw away the answer, which would have said what was wrong.
 */
final class UnreadBody {
    /** Whoever sends more than that sees a closed connection instead of the answer. */
    static final int MAX_DRAINED_BYTES = 8 * 1024 * 1024;

    private static final int CHUNK_BYTES = 16 * 1024;

    /** Whoever trickles holds no thread for longer, but for one wait of the idle timeout. */
    private static final long MAX_NANOS = Duration.ofSeconds(5).toNanos();

    private UnreadBody() {}

    /** Reads it, up to {@link #MAX_DRAINED_BYTES} and for a few seconds; the server's idle timeout ends a client that stops. */
    static void drain(HttpServletRequest request) {
        if (request.getHeader("Expect") != null) {
            // It waits to be told to send the body, and reading would tell it to.
            return;
        }
        byte[] chunk = new byte[CHUNK_BYTES];
        long start = System.nanoTime();
        try {
            InputStream in = request.getInputStream();
            for (int drained = 0; drained < MAX_DRAINED_BYTES && System.nanoTime() - start < MAX_NANOS; ) {
                int read = in.read(chunk);
                if (read < 0) {
                    return;
                }
                drained += read;
            }
        } catch (IOException e) {
            // It is gone, or took too long: then nobody is there for the answer.
            return;
        }
    }
}
