package io.scatterguard.proxy.config;

/**
 * How refusals are given.
 *
 * @param detail how much a refusal tells
 * @param unacknowledged whether a command is refused too to which no reply is expected; it is dropped then
 */
public record RefusalConfig(Detail detail, boolean unacknowledged) {
    public static final RefusalConfig STANDARD = new RefusalConfig(Detail.FULL, false);

    /** How much a refusal tells. */
    public enum Detail implements Choice {
        FULL("full"),
        /** The namespace, the rule and the key fields that are missing. */
        NAMES_ONLY("namesOnly"),
        /** No name of anything. */
        CODE_ONLY("codeOnly");

        private final String text;

        Detail(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }
}
