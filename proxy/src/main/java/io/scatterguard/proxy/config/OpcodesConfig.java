package io.scatterguard.proxy.config;

import java.util.Set;

/**
 * Which messages that are no commands are refused; all others are forwarded.
 *
 * @param refused their keys
 */
public record OpcodesConfig(Set<Key> refused) {
    /** Nothing is refused. */
    public static final OpcodesConfig FORWARD_ALL = new OpcodesConfig(Set.of());

    /** A key under {@code opcodes}. */
    public enum Key {
        /** On collections only: on {@code $cmd} it carries a command, which the policy judges. */
        OP_QUERY("OP_QUERY"),
        OP_GET_MORE("OP_GET_MORE"),
        OP_KILL_CURSORS("OP_KILL_CURSORS"),
        OP_INSERT("OP_INSERT"),
        OP_UPDATE("OP_UPDATE"),
        OP_DELETE("OP_DELETE"),
        /** Every number that is none of the protocol's. */
        UNKNOWN("unknown");

        private final String text;

        Key(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** What is done with an opcode. */
    enum Treatment implements Choice {
        FORWARD("forward"),
        REFUSE("refuse");

        private final String text;

        Treatment(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public OpcodesConfig {
        refused = Set.copyOf(refused);
    }
}
