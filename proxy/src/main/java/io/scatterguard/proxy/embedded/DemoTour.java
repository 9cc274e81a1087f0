package io.scatterguard.proxy.embedded;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A tour through the demo shop with the Java driver: finds by the full shard key, by its prefix, by several keys and by
 * none; an exempted find; an insert, an update and an aggregation. Through a proxy that enforces, the find by no key must
 * be refused, and nothing else.
 */
public final class DemoTour {
    /** The id of the exemption that one of the steps asks for in its comment. */
    public static final String EXEMPTION = "demo-report";

    /** The application name that the tour connects with. */
    public static final String APP_NAME = "scatterguard-demo";

    /** The code of a refusal. */
    private static final int REFUSED = 61_001;

    private static final long SERVER_SELECTION_SECONDS = 5;

    private final boolean enforced;
    private final PrintStream out;
    private final Consumer<Step> afterEach;

    private DemoTour(boolean enforced, PrintStream out, Consumer<Step> afterEach) {
        this.enforced = enforced;
        this.out = out;
        this.afterEach = afterEach;
    }

    /** Runs the tour through a proxy, as {@link #run(String, PrintStream, Consumer)}, with nothing in between. */
    public static List<Step> run(String proxyUri, PrintStream out) {
        return run(proxyUri, out, step -> {});
    }

    /**
     * Runs the tour through a proxy in enforce mode.
     *
     * @param proxyUri the connection string of the proxy; {@link ShopData} must have been loaded behind it
     * @param out gets one line a step
     * @param afterEach is called on this thread after the line of each step was printed
     * @return the steps, all of which went as expected
     * @throws TourFailedException if one did not; those after it are not run
     */
    public static List<Step> run(String proxyUri, PrintStream out, Consumer<Step> afterEach) {
        return new DemoTour(true, out, afterEach).run(proxyUri);
    }

    /** Runs the tour where nothing is refused: straight to the server, or through a proxy that only observes. */
    public static List<Step> runUnenforced(String uri, PrintStream out, Consumer<Step> afterEach) {
        return new DemoTour(false, out, afterEach).run(uri);
    }

    private List<Step> run(String uri) {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applicationName(APP_NAME)
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(SERVER_SELECTION_SECONDS, TimeUnit.SECONDS))
                .build();
        List<Step> steps = new ArrayList<>();
        try (MongoClient client = MongoClients.create(settings)) {
            MongoDatabase shop = client.getDatabase(ShopCatalog.DATABASE);
            for (TourStop stop : TourStop.all()) {
                Step step = visit(steps.size() + 1, stop, shop);
                out.println(step.line());
                steps.add(step);
                afterEach.accept(step);
            }
        }
        return List.copyOf(steps);
    }

    private Step visit(int number, TourStop stop, MongoDatabase shop) {
        boolean refusalExpected = enforced && stop.broadcast();
        long count;
        try {
            count = stop.ask().applyAsLong(shop);
        } catch (MongoCommandException e) {
            if (refusalExpected && e.getErrorCode() == REFUSED) {
                return new Step(number, stop.asked(), e.getErrorMessage(), true);
            }
            String answer = "error " + e.getErrorCode() + " (" + e.getErrorMessage() + ")";
            throw new TourFailedException(failure(number, stop, answer), e);
        } catch (MongoException e) {
            throw new TourFailedException(failure(number, stop, e.toString()), e);
        }
        if (refusalExpected || count != stop.expectedCount()) {
            throw new TourFailedException(failure(number, stop, stop.counted(count)));
        }
        return new Step(number, stop.asked(), stop.counted(count), false);
    }

    private String failure(int number, TourStop stop, String cameBack) {
        String expected = enforced && stop.broadcast()
                ? "a refusal with code " + REFUSED + "; is the listener in enforce mode?"
                : stop.counted(stop.expectedCount());
        return "demo step " + number + ", " + stop.asked() + ": " + cameBack + " (expected: " + expected + ")";
    }
}
