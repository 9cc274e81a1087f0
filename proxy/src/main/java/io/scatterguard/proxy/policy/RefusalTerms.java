package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.RefusalConfig;

/**
 * How a command is refused.
 *
 * @param detail how much the refusal tells
 * @param exemptible whether an exemption could have let the command pass
 * @param byComment whether a comment in the command may name an exemption
 * @param unacknowledged whether it is refused too where no reply is expected
 */
public record RefusalTerms(Detail detail, boolean exemptible, boolean byComment, boolean unacknowledged) {
    /** Everything is told, everything may be exempted, and what expects no reply is forwarded. */
    static final RefusalTerms STANDARD = new RefusalTerms(Detail.FULL, true, true, false);

    /** How much a refusal tells. */
    public enum Detail {
        FULL,
        /** The namespace, the rule and the key fields that are missing. */
        NAMES_ONLY,
        /** No name of anything. */
        CODE_ONLY;

        static Detail of(RefusalConfig.Detail configured) {
            return switch (configured) {
                case FULL -> FULL;
                case NAMES_ONLY -> NAMES_ONLY;
                case CODE_ONLY -> CODE_ONLY;
            };
        }
    }
}
