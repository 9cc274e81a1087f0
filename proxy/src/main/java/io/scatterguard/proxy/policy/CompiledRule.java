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
import java.util.EnumSet;

/** A rule, ready for matching. */
final class CompiledRule {
    private final Selector selector;
    private final boolean anyNature;
    private final EnumSet<Shape> shapes;
    private final CertaintyChoice certainty;
    private final Ruling ruling;

    CompiledRule(RuleConfig config, Ruling ruling) {
        RuleMatchConfig match = config.match();
        this.selector = new Selector(match.selector());
        this.anyNature = match.shapes().isEmpty();
        this.shapes = EnumSet.noneOf(Shape.class);
        match.shapes().forEach(shape -> shapes.add(shapeOf(shape)));
        if (anyNature) {
            shapes.add(Shape.SCATTER_GATHER);
        }
        this.certainty = match.certainty();
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

    /** Whether it means {@code statement}, one of those of {@code route}; on a view also by what the view reads. */
    boolean matches(CommandName command, Route route, StatementRoute statement, ClientInfo client) {
        if (!matchesNature(command, route, statement)) {
            return false;
        }
        Namespace viewOn = route.viewOn();
        return selector.matches(command, route.namespace(), client)
                || (viewOn != null && selector.matches(command, viewOn, client));
    }

    /**
     * Whether the statement is of the kind meant. An {@code explain}, and what reaches everything by its nature, must be
     * named; the latter has no shape, so a rule that asks for one does not mean it: {@code commands: [aggregate], shape:
     * scatterGather} leaves change streams alone.
     */
    private boolean matchesNature(CommandName command, Route route, StatementRoute statement) {
        if (command == CommandName.EXPLAIN && !selector.names(command)) {
            return false;
        }
        if (route.isIntrinsic()) {
            return anyNature && selector.names(command);
        }
        Shape shape = statement.shape();
        return shape != null && shapes.contains(shape) && matchesCertainty(statement);
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
