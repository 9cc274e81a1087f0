package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.ActionChoice;
import io.scatterguard.proxy.config.ActionConfig;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.RateConfig;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import org.jspecify.annotations.Nullable;

/** What applies to a statement of a routed command that no rule matches. */
final class Defaults {
    private final Ruling unremarkable;
    private final Ruling unknown;
    private final Ruling reads;
    private final Ruling writes;
    private final Ruling uncertainReads;
    private final Ruling uncertainWrites;

    Defaults(PolicyConfig config, OnUnknown onUnknown, Restraint.Aids aids, long version) {
        Mode mode = config.mode();
        PolicyConfig.Defaults defaults = config.defaults();
        ActionChoice unread = onUnknown == OnUnknown.REFUSE ? ActionChoice.REFUSE : ActionChoice.ALLOW;
        Maker maker = new Maker(defaults.rate(), aids, mode, version);
        this.unremarkable = maker.ruling(ActionChoice.ALLOW, Reasons.DEFAULT);
        this.unknown = maker.ruling(unread, Reasons.CATALOG_UNKNOWN);
        this.reads = maker.ruling(defaults.reads(), Reasons.DEFAULT);
        this.writes = maker.ruling(defaults.writes(), Reasons.DEFAULT);
        this.uncertainReads = maker.ruling(atMostLog(defaults.reads()), Reasons.DEFAULT);
        this.uncertainWrites = maker.ruling(atMostLog(defaults.writes()), Reasons.DEFAULT);
    }

    private record Maker(@Nullable RateConfig rate, Restraint.Aids aids, Mode mode, long version) {
        Ruling ruling(ActionChoice choice, String reason) {
            ActionConfig action = choice == ActionChoice.THROTTLE
                    ? new ActionConfig(choice, rate, ActionConfig.WHOLE)
                    : ActionConfig.plain(choice);
            return new Ruling(action, Ruling.Origin.noRule(reason), aids, mode, version);
        }
    }

    private static ActionChoice atMostLog(ActionChoice choice) {
        return choice.compareTo(ActionChoice.LOG) > 0 ? ActionChoice.LOG : choice;
    }

    /** The ruling on a statement that is routed by key; what the router itself would reject is left to it. */
    Ruling of(CommandName command, StatementRoute statement) {
        if (statement.reason() == Reason.CATALOG_UNKNOWN) {
            return unknown;
        }
        if (statement.shape() != Shape.SCATTER_GATHER) {
            return unremarkable;
        }
        // What is ambiguous counts as certain: giving a field twice must not be a way past the policy.
        boolean certain = statement.certainty() == Certainty.EXACT || statement.reason() == Reason.AMBIGUOUS;
        if (command.kind() == CommandName.Kind.WRITE) {
            return certain ? writes : uncertainWrites;
        }
        return certain ? reads : uncertainReads;
    }
}
