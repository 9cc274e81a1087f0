package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;

/** What applies to a statement of a routed command that no rule matches. */
final class Defaults {
    private final Ruling unremarkable;
    private final Ruling unknown;
    private final Ruling reads;
    private final Ruling writes;
    private final Ruling uncertainReads;
    private final Ruling uncertainWrites;

    Defaults(PolicyConfig config, OnUnknown onUnknown, long version) {
        Mode mode = config.mode();
        Action read = Action.of(config.defaults().reads());
        Action write = Action.of(config.defaults().writes());
        Action unread = onUnknown == OnUnknown.REFUSE ? Action.REFUSE : Action.ALLOW;
        this.unremarkable = new Ruling(Action.ALLOW, Ruling.Origin.noRule(Reasons.DEFAULT), mode, version);
        this.unknown = new Ruling(unread, Ruling.Origin.noRule(Reasons.CATALOG_UNKNOWN), mode, version);
        this.reads = new Ruling(read, Ruling.Origin.noRule(Reasons.DEFAULT), mode, version);
        this.writes = new Ruling(write, Ruling.Origin.noRule(Reasons.DEFAULT), mode, version);
        this.uncertainReads = new Ruling(atMostLog(read), Ruling.Origin.noRule(Reasons.DEFAULT), mode, version);
        this.uncertainWrites = new Ruling(atMostLog(write), Ruling.Origin.noRule(Reasons.DEFAULT), mode, version);
    }

    private static Action atMostLog(Action action) {
        return action == Action.REFUSE ? Action.LOG : action;
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
