package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.RuleConfig;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Evidence;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Throttles;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A policy that is tried on cases, as if it were enforced. What a throttle does depends on when commands come, so that it only
 * says that it throttles. Not for several threads.
 */
public final class PolicyTrial {
    /** What the policy does with a case. */
    public enum Done {
        ALLOW,
        EXEMPT,
        LOG,
        THROTTLE,
        REFUSE
    }

    /**
     * What came of one case.
     *
     * @param by the rule's name, or in brackets the word of {@link Reasons} that decided without one
     */
    public record Result(Done done, String by) {
        /** For instance {@code refuse by no-scans}. */
        @Override
        public String toString() {
            return text() + " by " + by;
        }

        /** For instance {@code refuse}. */
        public String text() {
            return done.name().toLowerCase(Locale.ROOT);
        }
    }

    private final CompiledPolicy policy;
    private @Nullable PolicyCase current;

    public PolicyTrial(PolicyConfig config, OnUnknown onUnknown) {
        this.policy =
                CompiledPolicy.compile(config.withMode(Mode.ENFORCE), onUnknown, new Known(), Throttles.exhausted(), 1);
    }

    /** What is known of the present case needs no second look. */
    private final class Known implements Evidence {
        @Override
        public String shapeHash(CommandView command) {
            return current == null ? "" : current.shape().hash();
        }

        @Override
        public List<Note> notes(CommandView command, Route route) {
            return current == null ? List.of() : current.notes();
        }
    }

    /** The names of the policy's rules, in their order. */
    public List<String> rules() {
        return policy.config().rules().stream().map(RuleConfig::name).toList();
    }

    public Result result(PolicyCase tried) {
        current = tried;
        Verdict verdict = policy.decide(tried.command(), tried.route(), tried.client(), tried.at());
        String by = verdict.rule() == null ? "(" + word(verdict) + ")" : verdict.rule();
        return new Result(done(verdict), by);
    }

    /** A throttled default is a default. */
    private static String word(Verdict verdict) {
        boolean decided =
                verdict.reason().equals(Reasons.THROTTLED) || verdict.reason().equals(Reasons.EXEMPTED);
        return decided ? Reasons.DEFAULT : verdict.reason();
    }

    private static Done done(Verdict verdict) {
        if (verdict.exemption() != null) {
            return Done.EXEMPT;
        }
        if (verdict.reason().equals(Reasons.THROTTLED)) {
            return Done.THROTTLE;
        }
        return switch (verdict.action()) {
            case ALLOW -> Done.ALLOW;
            case LOG -> Done.LOG;
            case REFUSE -> Done.REFUSE;
        };
    }
}
