package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.CommandName;
import java.util.List;

/**
 * What a rule is about.
 *
 * @param selector which commands of which clients
 * @param shapes the shapes it matches; empty where the file gives none, which means {@code scatterGather} (any, and none,
 *     where {@code route} asks something) and, for a rule that names the command, what reaches everything by its nature and
 *     has no shape
 * @param certainty which predictions it matches
 * @param route what it asks besides of where the command goes
 */
public record RuleMatchConfig(
        SelectorConfig selector, List<ShapeChoice> shapes, CertaintyChoice certainty, RouteMatchConfig route) {
    /** A shape, as in {@code Route}. */
    public enum ShapeChoice implements Choice {
        SINGLE_SHARD("singleShard"),
        MULTI_SHARD("multiShard"),
        SCATTER_GATHER("scatterGather");

        private final String text;

        ShapeChoice(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** Which predictions a rule matches. */
    public enum CertaintyChoice implements Choice {
        EXACT("exact"),
        UPPER_BOUND("upperBound"),
        ANY("any");

        private final String text;

        CertaintyChoice(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public RuleMatchConfig {
        shapes = List.copyOf(shapes);
        Requirements requirements = new Requirements();
        for (CommandName name : selector.commands()) {
            requirements.that(
                    isJudged(name),
                    "commands",
                    Quoting.quoted(name.text()) + " is never judged (expected: a command that is sent to shards)");
        }
        requirements.check();
    }

    /** Every scatter-gather that is certain. */
    public static RuleMatchConfig any() {
        return new RuleMatchConfig(SelectorConfig.ALL, List.of(), CertaintyChoice.EXACT, RouteMatchConfig.NONE);
    }

    /**
     * Whether the policy looks at this command at all. What keeps connections, sessions, cursors and the cluster itself
     * going is always forwarded, so that no rule can lock anybody out.
     */
    public static boolean isJudged(CommandName name) {
        return switch (name.kind()) {
            case READ, WRITE, DDL_PRIMARY, LOWEST_CHUNK, OWNING_SHARDS, ALL_SHARDS -> true;
            case CURSOR, HANDSHAKE, AUTHENTICATION, USER_MANAGEMENT, SESSION, ROUTER_LOCAL, ADMINISTRATION -> false;
        };
    }
}
