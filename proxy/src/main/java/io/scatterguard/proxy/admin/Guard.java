package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Decides who may ask what. */
public final class Guard {
    private static final String BEARER = "Bearer ";

    private final boolean local;
    private final boolean guardsReading;
    private volatile byte @Nullable [] token;

    private Guard(boolean local, boolean guardsReading, @Nullable Secret token) {
        this.local = local;
        this.guardsReading = guardsReading;
        this.token = token == null ? null : digest(token.reveal());
    }

    /** Whoever asks may read; nobody may change anything. */
    public static Guard open() {
        return new Guard(false, false, null);
    }

    public static Guard of(ObservationConfig.Admin admin) {
        return new Guard(admin.bind().isLoopback(), admin.guardsReading(), admin.token());
    }

    /** From now on {@code changed} is the token; null where nothing can be changed. */
    public void use(@Nullable Secret changed) {
        token = changed == null ? null : digest(changed.reveal());
    }

    /** Why {@code question} gets no other answer; null if it may be asked. */
    @Nullable Answer refusal(Endpoint.Access access, Question question) {
        if (access == Endpoint.Access.OPEN) {
            return null;
        }
        if (local && !isLoopback(question.header("Host"))) {
            return Answer.error(
                    Answer.FORBIDDEN, "Host: not a loopback address (expected: localhost, 127.x.x.x or [::1])");
        }
        boolean change = access == Endpoint.Access.CHANGE;
        if (change && token == null) {
            return Answer.error(
                    Answer.FORBIDDEN, "admin.token: not configured, so that nothing can be changed by HTTP");
        }
        return (change || guardsReading) && !showsToken(question.header("Authorization"))
                ? Answer.error(
                        Answer.UNAUTHORIZED, "Authorization: no token, or a wrong one (expected: Bearer <admin.token>)")
                : null;
    }

    /** A page in a browser can make a name of its own point here, and would then read what this machine may. */
    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null && HostAndPort.parse(host, 80).isLoopback();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Digests are compared, in a time that depends on neither, so that not even the token's length shows. */
    private boolean showsToken(@Nullable String authorization) {
        byte[] expected = token;
        return expected != null
                && authorization != null
                && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(
                        expected,
                        digest(authorization.substring(BEARER.length()).strip()));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing from this Java runtime (every runtime must have it)", e);
        }
    }
}
