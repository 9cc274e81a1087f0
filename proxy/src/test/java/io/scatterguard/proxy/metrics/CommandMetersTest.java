package io.scatterguard.proxy.metrics;

import static io.scatterguard.proxy.metrics.MeterFixture.ALLOWED;
import static io.scatterguard.proxy.metrics.MeterFixture.CLIENT;
import static io.scatterguard.proxy.metrics.MeterFixture.LOGGED;
import static io.scatterguard.proxy.metrics.MeterFixture.broadcast;
import static io.scatterguard.proxy.metrics.MeterFixture.command;
import static io.scatterguard.proxy.metrics.MeterFixture.judgement;
import static io.scatterguard.proxy.metrics.MeterFixture.text;
import static io.scatterguard.proxy.metrics.MeterFixture.value;
import static io.scatterguard.proxy.metrics.MeterFixture.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.session.CommandMeter;
import io.scatterguard.proxy.session.Judgement;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class CommandMetersTest {
    private final ProxyMetrics metrics = new ProxyMetrics("staging", 50, OwnerLookup.NONE);
    private final CommandMeter meter = metrics.commands();

    @Test
    void aFindingIsCountedOnceItHasEnded() {
        CommandView find = command("{find: 'orders', filter: {}}");
        CommandMeter.Tally tally =
                meter.judged(find, judgement(find, LOGGED, Shape.SCATTER_GATHER, Placement.ALL_SHARDS), CLIENT);
        assertThat(value(metrics, "scatterguard_findings_total", "shop.orders")).isZero();

        tally.ended(3, 1_000, 2_000_000_000L, 100, 1_000);

        assertThat(text(metrics))
                .contains("scatterguard_findings_total{action=\"log\",cluster=\"staging\",namespace=\"shop.orders\","
                        + "owner=\"unowned\",shape=\"scatterGather\"} 1.0\n");
        assertThat(value(metrics, "scatterguard_commands_total", "op=\"find\"", "verdict=\"log\""))
                .isEqualTo(1);
        assertThat(value(metrics, "scatterguard_hosts_targeted_total", "op=\"find\"", "\"allShards\""))
                .isEqualTo(1);
        assertThat(value(metrics, "scatterguard_shard_seconds_total", "\"unowned\""))
                .isEqualTo(6);
        assertThat(value(metrics, "scatterguard_server_duration_seconds_sum", "scatterGather"))
                .isEqualTo(2);
        assertThat(value(metrics, "scatterguard_server_duration_seconds_bucket", "scatterGather", "le=\"1.0\""))
                .isZero();
        assertThat(value(metrics, "scatterguard_server_duration_seconds_bucket", "scatterGather", "le=\"2.5\""))
                .isEqualTo(1);
        assertThat(value(metrics, "scatterguard_proxy_duration_seconds_count")).isEqualTo(1);
        assertThat(value(metrics, "scatterguard_bytes_total", "request")).isEqualTo(100);
        assertThat(value(metrics, "scatterguard_bytes_total", "reply")).isEqualTo(1_000);
    }

    @Test
    void whatIsAllowedIsNoFinding() {
        broadcast(meter, "{find: 'orders'}", ALLOWED);

        assertThat(text(metrics)).doesNotContain("scatterguard_findings_total{").doesNotContain("shop.orders");
        assertThat(value(metrics, "scatterguard_hosts_targeted_total", "op=\"find\"", "\"allShards\""))
                .isEqualTo(1);
    }

    /** The server never sees it, so it does not count it either. */
    @Test
    void whatIsRefusedTargetsNothing() {
        CommandView find = command("{find: 'orders', filter: {}}");
        meter.judged(
                        find,
                        judgement(
                                find, verdict(Action.REFUSE, false, null), Shape.SCATTER_GATHER, Placement.ALL_SHARDS),
                        CLIENT)
                .ended(3, 1_000, CommandMeter.NO_SERVER, 100, 1_000);

        assertThat(value(metrics, "scatterguard_hosts_targeted_total", "op=\"find\"", "\"allShards\""))
                .isZero();
        assertThat(value(metrics, "scatterguard_server_duration_seconds_count", "scatterGather"))
                .isZero();
        assertThat(value(metrics, "scatterguard_shard_seconds_total", "\"unowned\""))
                .isZero();
        assertThat(value(metrics, "scatterguard_findings_total", "action=\"refuse\""))
                .isEqualTo(1);
    }

    @Test
    void serversDoNotCountEveryCommand() {
        broadcast(meter, "{count: 'orders'}", ALLOWED);
        broadcast(meter, "{explain: {find: 'orders'}}", ALLOWED);

        assertThat(text(metrics)).doesNotContain("hosts_targeted_total{cluster=\"staging\",op=\"count\"");
        assertThat(text(metrics).lines().filter(l -> l.startsWith("scatterguard_hosts_targeted_total{")))
                .hasSize(20)
                .allMatch(line -> line.endsWith(" 0.0"));
        assertThat(value(metrics, "scatterguard_commands_total", "op=\"explain\"", "\"allow\""))
                .isEqualTo(1);
    }

    @Test
    void theVerdictSaysWhatThePolicyWanted() {
        broadcast(meter, "{find: 'a'}", verdict(Action.LOG, true, null));
        broadcast(meter, "{find: 'a'}", verdict(Action.ALLOW, false, "nightly"));
        broadcast(meter, "{find: 'a'}", new Verdict(Action.ALLOW, false, null, null, Reasons.UNAUTHENTICATED, 0));

        assertThat(value(metrics, "scatterguard_findings_total", "\"wouldRefuse\""))
                .isEqualTo(1);
        assertThat(value(metrics, "scatterguard_findings_total", "\"exempt\"")).isEqualTo(1);
        assertThat(value(metrics, "scatterguard_commands_total", "op=\"find\"", "\"unjudged\""))
                .isEqualTo(1);
    }

    @Test
    void theOwnerIsALabelAndBounded() {
        ProxyMetrics owned =
                new ProxyMetrics("c", 50, (route, client) -> route.namespace().collection());
        for (int i = 0; i < 1_000; i++) {
            broadcast(owned.commands(), "{find: 'team" + i + "'}", LOGGED);
        }

        assertThat(value(owned, "scatterguard_shard_seconds_total", "\"team7\""))
                .isEqualTo(6);
        assertThat(text(owned).lines().filter(line -> line.startsWith("scatterguard_shard_seconds_total{")))
                .hasSize(CommandMeters.MAX_OWNERS + 1);
        assertThat(value(owned, "scatterguard_shard_seconds_total", "owner=\"other\""))
                .as("unowned has a place of its own from the start")
                .isEqualTo(6 * (1_000 - (CommandMeters.MAX_OWNERS - 1)));
    }

    @Test
    void aFaultOfOursIsCountedAndNothingElseHappens() {
        ProxyMetrics faulty = new ProxyMetrics("c", 50, (namespace, client) -> {
            throw new IllegalStateException("a bug");
        });

        broadcast(faulty.commands(), "{find: 'a'}", LOGGED);

        assertThat(value(faulty, "scatterguard_internal_errors_total", "\"metrics\""))
                .isEqualTo(1);
        assertThat(value(faulty, "scatterguard_commands_total", "op=\"other\"", "\"unjudged\""))
                .isEqualTo(1);
    }

    /** On the event loop, for every command. */
    @Test
    void measuringACommandThatIsNoFindingAllocatesNothing() {
        CommandView find = command("{find: 'orders', filter: {}}");
        Judgement judgement = judgement(find, ALLOWED, Shape.SINGLE_SHARD, Placement.ONE_SHARD);
        int commands = 20_000;
        measure(find, judgement, commands);

        assertThat(measure(find, judgement, commands)).as("bytes").isLessThan(commands);
    }

    private long measure(CommandView find, Judgement judgement, int commands) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < commands; i++) {
            meter.judged(find, judgement, CLIENT).ended(1, 1_000, 100_000 + i, 100, 1_000);
            meter.unjudged().ended(0, 1_000, CommandMeter.NO_SERVER, 100, 1_000);
        }
        return threads.getThreadAllocatedBytes(thread) - before;
    }
}
