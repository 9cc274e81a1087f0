package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.RuleConfig;
import io.scatterguard.proxy.config.RuleMatchConfig;
import io.scatterguard.proxy.config.RuleMatchConfig.CertaintyChoice;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
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

    boolean matches(CommandName command, Route route, ClientInfo client) {
        return matchesNature(command, route) && selector.matches(command, route.namespace(), client);
    }

    /**
     * Whether the route is of the kind meant. An {@code explain}, and what reaches everything by its nature, must be
     * named; the latter has no shape, so a rule that asks for one does not mean it: {@code commands: [aggregate], shape:
     * scatterGather} leaves change streams alone.
     */
    private boolean matchesNature(CommandName command, Route route) {
        if (command == CommandName.EXPLAIN && !selector.names(command)) {
            return false;
        }
        if (route.isIntrinsic()) {
            return anyNature && selector.names(command);
        }
        Shape shape = route.shape();
        return shape != null && shapes.contains(shape) && matchesCertainty(route);
    }

    private boolean matchesCertainty(Route route) {
        return switch (certainty) {
            case EXACT -> Certainties.of(route) == Certainty.EXACT;
            case UPPER_BOUND -> Certainties.of(route) == Certainty.UPPER_BOUND;
            case ANY -> true;
        };
    }
}
