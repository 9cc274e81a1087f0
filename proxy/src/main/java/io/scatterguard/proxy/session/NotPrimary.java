package io.scatterguard.proxy.session;

import io.scatterguard.protocol.codec.SkimmedReply;
import org.jspecify.annotations.Nullable;

/**
 * The error codes by which a member of a replica set says that it is not, or not for long, the primary.
 *
 * <p>Source: the "Server Discovery and Monitoring" specification, "not writable primary" and "node is recovering".
 */
final class NotPrimary {
    private NotPrimary() {}

    /**
     * Whether a reply shows it: by its own error, or by that of its write concern. Those of single statements do not count:
     * a member that steps down during a batch fails the command itself.
     */
    static boolean isShownBy(SkimmedReply reply) {
        boolean failed = Boolean.FALSE.equals(reply.ok()) && isCode(reply.code());
        return failed || isCode(reply.writeConcernCode());
    }

    private static boolean isCode(@Nullable Integer code) {
        return code != null
                && switch (code) {
                    // NotWritablePrimary, NotPrimaryNoSecondaryOk, LegacyNotPrimary
                    case 10_107, 13_435, 10_058 -> true;
                    // InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryOrSecondary
                    case 11_600, 11_602, 13_436 -> true;
                    // PrimarySteppedDown, ShutdownInProgress
                    case 189, 91 -> true;
                    default -> false;
                };
    }
}
