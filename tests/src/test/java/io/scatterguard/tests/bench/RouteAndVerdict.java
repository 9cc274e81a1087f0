package io.scatterguard.tests.bench;

import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.StringCache;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What {@code CommandJudge} does for one command, from the decoded message on: the view, the route, the verdict. Each call
 * takes the next of {@link #COMMANDS} distinct commands (see {@link Commands}).
 */
@State(Scope.Thread)
public class RouteAndVerdict {
    static final int COMMANDS = 1 << 17;

    private static final String CONFIGURATION = "listeners: [{upstream: {hosts: [a]}}]\n"
            + "policy: {mode: enforce, rules: ["
            + "{name: archive, match: {namespace: archive.*}, action: refuse},"
            + "{name: orders, match: {namespace: shop.orders, commands: [find, aggregate], shape: scatterGather}, action: refuse}],"
            + "exemptions: [{id: nightly, match: {namespace: shop.*, appName: reporting}}, {id: backfill}]}\n";

    private final StringCache names = new StringCache();
    private final Router router = new KeyRouter();
    private final Policy policy =
            CompiledPolicy.compile(ConfigReader.read(CONFIGURATION, Map.of()).policy(), 1);
    private final ClientInfo client = new ClientInfo("10.0.0.1:5000", "checkout", "nodejs 7.9.0", "Linux", "app");
    private final Clock clock = Clock.systemUTC();
    private final RouterRelease release = RouterRelease.DEFAULT;
    private CatalogSnapshot catalog = CatalogSnapshot.empty();
    private @Nullable Commands commands;

    @Param
    Operation operation = Operation.FIND_FULL_KEY;

    @Setup
    public void prepare() {
        prepare(ByteBufAllocator.DEFAULT, new Orders(Orders.CHUNKS), COMMANDS);
        // What is left of the setup lies between the chunks otherwise.
        System.gc();
    }

    void prepare(ByteBufAllocator allocator, Orders orders, int count) {
        catalog = orders.catalog();
        List<OrderKey> keys = orders.keys(count);
        commands = new Commands(allocator, operation, keys, orders);
        NavigableMap<byte[], Integer> tree = orders.tree();
        for (OrderKey key : keys.subList(0, 1_000)) {
            requireRight(judge().route(), tree.floorEntry(key.bytes()).getValue());
        }
        commands = new Commands(allocator, operation, keys, orders);
    }

    /** A benchmark of wrong answers would be worth nothing. */
    private void requireRight(Route route, int owner) {
        boolean exact = route.certainty() == Certainty.EXACT && route.shards().contains(owner);
        if (!exact || (route.shards().size() == 1) != operation.isOneShard()) {
            throw new IllegalStateException(operation + ": " + route + " (expected: shard " + owner
                    + (operation.isOneShard() ? " alone)" : " among others)"));
        }
    }

    @Benchmark
    public Judged judge() {
        CommandView command = CommandView.of(commands.next(), names);
        Route route = router.route(command, catalog, release);
        return new Judged(route, policy.decide(command, route, client, clock.instant()));
    }

    /** As {@code CommandJudge} returns it. */
    public record Judged(Route route, Verdict verdict) {}
}
