package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.embedded.DemoTour;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: the proxy in front of an embedded server that carries a sharded shop. */
@Command(
        name = "demo",
        description =
                "Shows the proxy in enforce mode in front of an embedded server that carries a sharded shop: a short "
                        + "tour with the Java driver, then it stays up to be tried with mongosh.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  scatterguard demo", "  scatterguard demo --once"})
final class DemoCommand implements Callable<Integer> {
    private static final String CONFIG = """
            cluster: demo
            listeners:
              - bind: 127.0.0.1:%d
                upstream: { kind: mongos, hosts: ["127.0.0.1:%d"] }
            policy:
              mode: enforce
              rules:
                - name: no-broadcast-in-the-shop
                  match: { namespace: "shop.*", shape: scatterGather }
                  action: refuse
              exemptions:
                - { id: %s, reason: "the demo's full scan by design", owner: demo }
            audit:
              sinks: []
              record: routed
            """;

    @Option(names = "--once", description = "End after the tour; exit code 0 if it went as expected.")
    private boolean once;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The proxy's port on 127.0.0.1; 0 takes a free one. Default: 27100, with --once 0.")
    private int port = -1;

    @Override
    public Integer call() throws Exception {
        PrintStream out = System.out;
        int bind = port >= 0 ? port : once ? 0 : 27_100;
        VerdictLines verdicts = new VerdictLines();
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ShopData.load(server.connectionString());
            ScatterguardConfig config =
                    ConfigReader.read(CONFIG.formatted(bind, server.port(), DemoTour.EXEMPTION), Map.of());
            RuntimeParts parts = RuntimeParts.standard().withSink(verdicts);
            try (ProxyRuntime runtime = ProxyRuntime.start(config, parts)) {
                out.println("Scatterguard in enforce mode in front of an embedded server with three shards.");
                out.println();
                DemoTour.run(runtime.connectionString(), out, step -> out.println("   " + verdicts.next()));
                out.println();
                if (!once) {
                    stayUp(runtime, verdicts, out);
                }
            }
        }
        return ExitCode.OK.code();
    }

    private static void stayUp(ProxyRuntime runtime, VerdictLines verdicts, PrintStream out)
            throws InterruptedException {
        String uri = runtime.connectionString() + "shop";
        out.println("The proxy stays up; stop it with Ctrl-C. Connection string:");
        out.println("  " + uri);
        out.println("Two commands to try:");
        out.println("  mongosh \"" + uri + "\" --eval 'db.orders.find({customerId: 7}).toArray()'");
        out.println("  mongosh \"" + uri + "\" --eval 'db.orders.find({status: \"open\"}).toArray()'");
        out.println();
        verdicts.printTo(out);
        new CountDownLatch(1).await();
    }
}
