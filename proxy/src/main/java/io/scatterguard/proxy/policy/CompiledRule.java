package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.RuleConfig;
import io.scatterguard.proxy.config.RuleMatchConfig;
import io.scatterguard.proxy.config.RuleMatchConfig.CertaintyChoice;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.time.Instant;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** A rule, ready for matching. */
final class CompiledRule {
    private final Selector selector;
    private final boolean anyNature;
    private final boolean anyShape;
    private final EnumSet<Shape> shapes;
    private final CertaintyChoice certainty;
    private final RouteMatch route;
    private final Expiry expiry;
    private final Ruling ruling;

    CompiledRule(RuleConfig config, Ruling ruling) {
        RuleMatchConfig match = config.match();
        this.selector = new Selector(match.selector());
        this.anyNature = match.shapes().isEmpty();
        this.anyShape = anyNature && !match.route().isNone();
        this.shapes = EnumSet.noneOf(Shape.class);
        match.shapes().forEach(shape -> shapes.add(shapeOf(shape)));
        if (anyNature) {
            shapes.add(Shape.SCATTER_GATHER);
        }
        this.certainty = match.certainty();
        this.route = new RouteMatch(match.route());
        this.expiry = Expiry.after(config.stewardship().until());
        this.ruling = ruling;
    }

    private static Shape shapeOf(RuleMatchConfig.ShapeChoice choice) {
        return switch (choice) {
            case SINGLE_SHARD -> Shape.SINGLE_SHARD;
            case MULTI_SHARD -> Shape.MULTI_SHARD;
            case SCATTER_GATHER -> Shape.SCATTER_GATHER;
        };
    }

    Ruling ruling() {
        return ruling;
    }

    /** Whether it asks for the words of comments. */
    boolean looksAtComments() {
        return selector.looksAtComments();
    }

    /** Whether it asks for the notes on statements. */
    boolean looksAtNotes() {
        return route.looksAtNotes();
    }

    /**
     * Whether it means statement {@code index} of {@code routed}; on a view also by what the view reads.
     *
     * @param look at the same command; null only where no rule looks closer
     */
    boolean matches(
            CommandName command, Route routed, int index, ClientInfo client, Instant now, @Nullable CloserLook look) {
        if (!matchesNature(command, routed, routed.statements().get(index))
                || !route.matchesPlacement(routed)
                || expiry.isOver(now)) {
            return false;
        }
        // A statement on a collection of its own is a write, and no router writes through a view.
        Namespace viewOn = routed.statements().get(index).subject() == null ? routed.viewOn() : null;
        boolean selected = selector.matches(command, routed.namespaceOf(index), client, now, look)
                || (viewOn != null && selector.matches(command, viewOn, client, now, look));
        return selected && route.matchesNotes(index, look);
    }

    /**
     * Whether the statement is of the kind meant. An {@code explain}, and what reaches everything by its nature, must be
     * named; the latter has no shape, so a rule that asks for one does not mean it: {@code commands: [aggregate], shape:
     * scatterGather} leaves change streams alone.
     */
    private boolean matchesNature(CommandName command, Route routed, StatementRoute statement) {
        if (command == CommandName.EXPLAIN && !selector.names(command)) {
            return false;
        }
        if (routed.isIntrinsic()) {
            return anyNature && selector.names(command);
        }
        Shape shape = statement.shape();
        boolean shaped = anyShape ? statement.error() == null : shape != null && shapes.contains(shape);
        return shaped && matchesCertainty(statement);
    }

    /** What is ambiguous counts as certain too: giving a field twice must not be a way past a rule. */
    private boolean matchesCertainty(StatementRoute statement) {
        Certainty predicted = statement.certainty();
        return switch (certainty) {
            case EXACT -> predicted == Certainty.EXACT || statement.reason() == Reason.AMBIGUOUS;
            case UPPER_BOUND -> predicted == Certainty.UPPER_BOUND;
            case ANY -> true;
        };
    }
}
