package io.scatterguard.proxy.embedded;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;

/** The documents of the demo shop: some three thousand, the same in every run. {@link ShopCatalog} places them. */
public final class ShopData {
    /** Customers have the ids 1 to this number. */
    public static final int CUSTOMERS = 400;

    /** Every customer has this many orders; their ids are {@code customerId * 1000 + 1} and on. */
    public static final int ORDERS_PER_CUSTOMER = 5;

    /** Every category has this many products; their SKUs are {@code CATEGORY-0001} and on. */
    public static final int PRODUCTS_PER_CATEGORY = 40;

    /** How many events there are, from the middle of April 2026, one every eight hours. */
    public static final int EVENTS = 600;

    private static final List<String> CATEGORIES = List.of("BAG", "BIKE", "BOOK", "GAME", "LAMP", "SHOE", "TOOL");
    private static final List<String> COUNTRIES = List.of("DE", "FR", "IT", "NL", "PL", "SE");
    private static final List<String> STATUSES = List.of("open", "paid", "shipped", "delivered", "returned");
    private static final List<String> EVENT_TYPES = List.of("viewed", "searched", "added", "bought");
    private static final Instant OPENED = Instant.parse("2026-04-15T00:00:00Z");

    private ShopData() {}

    /**
     * Replaces the databases {@code shop} and {@code config} of a server by the shop and its catalog.
     *
     * @param connectionString a server that lets {@code config} be written to: an {@link EmbeddedServer}, never a real
     *     cluster
     */
    public static void load(String connectionString) {
        try (MongoClient client = MongoClients.create(connectionString)) {
            MongoDatabase shop = client.getDatabase(ShopCatalog.DATABASE);
            shop.drop();
            documents().forEach((name, documents) -> shop.getCollection(name).insertMany(documents));
            MongoDatabase config = client.getDatabase("config");
            config.drop();
            ShopCatalog.documents()
                    .forEach((name, documents) ->
                            config.getCollection(name, BsonDocument.class).insertMany(documents));
        }
    }

    /** Every document, by the name of its collection in the {@code shop} database. */
    public static Map<String, List<Document>> documents() {
        Map<String, List<Document>> byCollection = new LinkedHashMap<>();
        byCollection.put("customers", customers());
        byCollection.put("orders", orders());
        byCollection.put("products", products());
        byCollection.put("events", events());
        byCollection.put("settings", settings());
        return byCollection;
    }

    private static List<Document> customers() {
        return IntStream.rangeClosed(1, CUSTOMERS)
                .mapToObj(id -> new Document("_id", id)
                        .append("name", "Customer " + id)
                        .append("email", "customer" + id + "@shop.test")
                        .append("country", cycle(COUNTRIES, id))
                        .append("since", date(OPENED.minus(Duration.ofDays(id % 365)))))
                .toList();
    }

    private static List<Document> orders() {
        List<Document> orders = new ArrayList<>();
        for (int customer = 1; customer <= CUSTOMERS; customer++) {
            for (int n = 1; n <= ORDERS_PER_CUSTOMER; n++) {
                Instant placed = OPENED.plus(Duration.ofHours(customer * 7L + n * 24L));
                int orderId = customer * 1000 + n;
                orders.add(new Document("_id", FixedIds.of((int) placed.getEpochSecond(), orderId))
                        .append("customerId", customer)
                        .append("orderId", orderId)
                        .append("status", cycle(STATUSES, customer + n))
                        .append("placedAt", date(placed))
                        .append("items", items(customer, n))
                        .append("totalCents", 990 + orderId % 97 * 100));
            }
        }
        return orders;
    }

    private static List<Document> items(int customer, int n) {
        return IntStream.rangeClosed(1, 1 + n % 2)
                .mapToObj(line -> new Document("sku", sku(customer + line, (customer * n) % PRODUCTS_PER_CATEGORY + 1))
                        .append("quantity", 1 + line % 2))
                .toList();
    }

    private static List<Document> products() {
        return IntStream.range(0, CATEGORIES.size() * PRODUCTS_PER_CATEGORY)
                .mapToObj(i -> new Document("_id", FixedIds.of((int) OPENED.getEpochSecond(), i))
                        .append("sku", sku(i / PRODUCTS_PER_CATEGORY, i % PRODUCTS_PER_CATEGORY + 1))
                        .append("category", CATEGORIES.get(i / PRODUCTS_PER_CATEGORY))
                        .append("priceCents", 490 + i * 37 % 9_000)
                        .append("stock", i * 13 % 250))
                .toList();
    }

    private static List<Document> events() {
        return IntStream.range(0, EVENTS)
                .mapToObj(i -> {
                    Instant at = OPENED.plus(Duration.ofHours(8L * i));
                    return new Document("_id", FixedIds.of((int) at.getEpochSecond(), i))
                            .append("ts", date(at))
                            .append("type", cycle(EVENT_TYPES, i))
                            .append("customerId", i * 31 % CUSTOMERS + 1)
                            .append("sku", sku(i, i % PRODUCTS_PER_CATEGORY + 1));
                })
                .toList();
    }

    private static List<Document> settings() {
        return List.of(
                new Document("_id", "currency").append("value", "EUR"),
                new Document("_id", "freeShippingFromCents").append("value", 5_000),
                new Document("_id", "maintenance").append("value", false));
    }

    private static String sku(int category, int number) {
        return cycle(CATEGORIES, category) + "-"
                + Integer.toString(10_000 + number).substring(1);
    }

    private static String cycle(List<String> values, int i) {
        return values.get(i % values.size());
    }

    private static Date date(Instant instant) {
        return Date.from(instant);
    }
}
