package io.scatterguard.proxy.metrics;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.session.CommandMeter;
import io.scatterguard.proxy.session.Judgement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Judged commands, and what comes out of measuring them. */
final class MeterFixture {
    static final ClientInfo CLIENT = ClientInfo.of("10.0.0.1:5000");
    static final Verdict ALLOWED = verdict(Action.ALLOW, false, null);
    static final Verdict LOGGED = verdict(Action.LOG, false, null);

    private MeterFixture() {}

    static Verdict verdict(Action action, boolean wouldRefuse, @Nullable String exemption) {
        return new Verdict(action, wouldRefuse, null, exemption, "default", 1);
    }

    static CommandView command(String json) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse(json)));
    }

    static Judgement judgement(CommandView command, Verdict verdict, @Nullable Shape shape, Placement placement) {
        StatementRoute statement =
                new StatementRoute(placement, shape, Certainty.EXACT, ShardSet.none(), 0, 0, Reason.NO_FILTER, null);
        Route route = new Route(
                Route.Kind.ROUTED,
                command.namespace(),
                statement,
                List.of(statement),
                ShardSet.none(),
                ShardSet.none(),
                placement,
                null,
                ShardRegistry.empty(),
                RouterRelease.DEFAULT);
        return new Judgement(route, verdict, null);
    }

    /** Measures a broadcast that took 2 s on 3 shards. */
    static void broadcast(CommandMeter meter, String json, Verdict verdict) {
        CommandView command = command(json);
        meter.judged(command, judgement(command, verdict, Shape.SCATTER_GATHER, Placement.ALL_SHARDS), CLIENT)
                .ended(3, 1_000, 2_000_000_000L, 100, 1_000);
    }

    static String text(ProxyMetrics metrics) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            metrics.write(out, null);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The value of the only series whose line begins with the name and holds all {@code labels}; NaN if there is none. */
    static double value(ProxyMetrics metrics, String name, String... labels) {
        List<String> found = text(metrics)
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .toList();
        if (found.size() > 1) {
            throw new AssertionError("several: " + found);
        }
        return found.isEmpty()
                ? Double.NaN
                : Double.parseDouble(found.get(0).substring(found.get(0).lastIndexOf(' ') + 1));
    }
}
