package io.scatterguard.proxy.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is done with which commands.
 *
 * @param mode how much of the policy is applied
 * @param defaults for scatter-gather that is exact and that no rule matches
 * @param rules the first that matches decides
 * @param exemptions what passes all the same
 * @param baseline query shapes that are known and not refused; a later one of the same shape counts
 * @param owners whose findings are whose, the first that matches
 * @param commentExemptions which ids in a command's comment count
 * @param tools what is done with clients whose application name is that of a MongoDB tool
 * @param wouldFail what is done with a command that a cluster sharded by the declared keys would refuse, in front of a server
 *     that is none
 * @param onInternalError what is done with a command that a fault of ours kept from being judged
 * @param refusals how refusals are given
 */
public record PolicyConfig(
        Mode mode,
        Defaults defaults,
        List<RuleConfig> rules,
        List<ExemptionConfig> exemptions,
        List<BaselineEntry> baseline,
        List<OwnerConfig> owners,
        CommentExemptions commentExemptions,
        Tools tools,
        WouldFail wouldFail,
        OnInternalError onInternalError,
        RefusalConfig refusals) {
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
        public static final Defaults REFUSE = new Defaults(ActionChoice.REFUSE, ActionChoice.REFUSE, null);

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
        baseline = List.copyOf(baseline);
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
                List.of(),
                CommentExemptions.REGISTERED,
                Tools.ALLOW,
                WouldFail.LOG,
                OnInternalError.FORWARD,
                RefusalConfig.STANDARD);
    }

    /** As {@link #standard}, but every certain scatter-gather is to be refused. */
    public static PolicyConfig strict() {
        PolicyConfig standard = standard();
        return new PolicyConfig(
                standard.mode,
                Defaults.REFUSE,
                standard.rules,
                standard.exemptions,
                standard.baseline,
                standard.owners,
                standard.commentExemptions,
                standard.tools,
                WouldFail.REFUSE,
                standard.onInternalError,
                standard.refusals);
    }

    /** The same policy in another mode. */
    public PolicyConfig withMode(Mode other) {
        return with(other, baseline);
    }

    /** The same policy with further shapes in its baseline. */
    public PolicyConfig withKnown(List<BaselineEntry> more) {
        return with(mode, Stream.concat(baseline.stream(), more.stream()).toList());
    }

    private PolicyConfig with(Mode other, List<BaselineEntry> known) {
        return new PolicyConfig(
                other,
                defaults,
                rules,
                exemptions,
                known,
                owners,
                commentExemptions,
                tools,
                wouldFail,
                onInternalError,
                refusals);
    }
}
