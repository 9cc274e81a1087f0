package io.scatterguard.proxy.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done with which commands.
 *
 * @param mode how much of the policy is applied
 * @param defaults for scatter-gather that is exact and that no rule matches
 * @param rules the first that matches decides
 * @param exemptions what passes all the same
 * @param owners whose findings are whose, the first that matches
 * @param commentExemptions which ids in a command's comment count
 * @param tools what is done with clients whose application name is that of a MongoDB tool
 * @param wouldFail what is done with a command that a cluster sharded by the declared keys would refuse, in front of a server
 *     that is none
 * @param onInternalError what is done with a command that a fault of ours kept from being judged
 */
public record PolicyConfig(
        Mode mode,
        Defaults defaults,
        List<RuleConfig> rules,
        List<ExemptionConfig> exemptions,
        List<OwnerConfig> owners,
        CommentExemptions commentExemptions,
        Tools tools,
        WouldFail wouldFail,
        OnInternalError onInternalError) {
    /** How much of the policy is applied. */
    public enum Mode implements Choice {
        /** Nothing is decoded or judged. */
        BYPASS("bypass"),
        /** Everything is judged, nothing refused. */
        OBSERVE("observe"),
        ENFORCE("enforce");

        private final String text;

        Mode(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** Which exemption ids in a command's comment count. */
    public enum CommentExemptions implements Choice {
        REGISTERED("registered"),
        ANY("any"),
        OFF("off");

        private final String text;

        CommentExemptions(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** What is done with clients whose application name is that of a MongoDB tool. */
    public enum Tools implements Choice {
        ALLOW("allow"),
        JUDGE("judge");

        private final String text;

        Tools(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** What is done with a command that a cluster sharded by the declared keys would refuse. */
    public enum WouldFail implements Choice {
        LOG("log"),
        REFUSE("refuse");

        private final String text;

        WouldFail(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** What is done with a command that a fault of ours kept from being judged. */
    public enum OnInternalError implements Choice {
        FORWARD("forward"),
        REFUSE("refuse");

        private final String text;

        OnInternalError(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /**
     * What is done with scatter-gather that is exact and that no rule matches.
     *
     * @param reads for commands that read
     * @param writes for commands that write
     * @param rate what a {@code throttle} among them lets pass of each query shape; null if there is none
     */
    public record Defaults(
            ActionChoice reads,
            ActionChoice writes,
            @Nullable RateConfig rate) {
        public static final Defaults LOG = new Defaults(ActionChoice.LOG, ActionChoice.LOG, null);

        public Defaults {
            boolean throttles = reads == ActionChoice.THROTTLE || writes == ActionChoice.THROTTLE;
            new Requirements()
                    .that(!throttles || rate != null, "rate", ActionConfig.RATE_MISSING)
                    .that(throttles || rate == null, "rate", ActionConfig.RATE_UNUSED)
                    .check();
        }
    }

    public PolicyConfig {
        rules = List.copyOf(rules);
        exemptions = List.copyOf(exemptions);
        owners = List.copyOf(owners);
        new Requirements()
                .distinct("rules", rules, "name", RuleConfig::name)
                .distinct("exemptions", exemptions, "id", ExemptionConfig::id)
                .check();
    }

    /** Observe, log every certain scatter-gather, no rules. */
    public static PolicyConfig standard() {
        return new PolicyConfig(
                Mode.OBSERVE,
                Defaults.LOG,
                List.of(),
                List.of(),
                List.of(),
                CommentExemptions.REGISTERED,
                Tools.ALLOW,
                WouldFail.LOG,
                OnInternalError.FORWARD);
    }
}
