package io.scatterguard.tests.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A structured log of a {@code mongos} as 6.0 and later write it: the same for the same size and share. Its slow queries are of
 * 320 shapes on ten collections, 500 to 1,500 bytes long as they are in the field (attributes of plans, locks and storage included);
 * the rest is what servers say of connections, clients and their own work.
 *
 * @param slowShare how many lines of a hundred are slow queries
 */
record GeneratedLog(int slowShare) {
    private static final int COLLECTIONS = 10;
    private static final List<String> REST = List.of(
            "\"c\":\"NETWORK\",  \"id\":22943,   \"ctx\":\"listener\",\"msg\":\"Connection accepted\",\"attr\":{\"remote\":\"10.1.2.%d:50412\","
                    + "\"uuid\":{\"uuid\":{\"$uuid\":\"3b241101-e2bb-4255-8caf-4136c566a962\"}},\"connectionId\":42,\"connectionCount\":117}}",
            "\"c\":\"NETWORK\",  \"id\":51800,   \"ctx\":\"conn42\",\"msg\":\"client metadata\",\"attr\":{\"remote\":\"10.1.2.%d:50412\","
                    + "\"client\":\"conn42\",\"doc\":{\"application\":{\"name\":\"checkout\"},\"driver\":{\"name\":\"mongo-java-driver|sync|"
                    + "spring-boot\",\"version\":\"5.6.0\"},\"os\":{\"type\":\"Linux\",\"name\":\"Linux\",\"architecture\":\"amd64\",\"version\":"
                    + "\"6.1\"},\"platform\":\"Java/Eclipse Adoptium/21.0.6+7-LTS\"}}}",
            "\"c\":\"NETWORK\",  \"id\":22944,   \"ctx\":\"conn42\",\"msg\":\"Connection ended\",\"attr\":{\"remote\":\"10.1.2.%d:50412\","
                    + "\"connectionId\":42,\"connectionCount\":116}}",
            "\"c\":\"ACCESS\",   \"id\":5286306, \"ctx\":\"conn42\",\"msg\":\"Successfully authenticated\",\"attr\":{\"client\":"
                    + "\"10.1.2.%d:50412\",\"isSpeculative\":true,\"mechanism\":\"SCRAM-SHA-256\",\"user\":\"shop\",\"db\":\"admin\"}}");

    /** Writes lines until {@code bytes} are reached; returns how many of them are slow queries. */
    long write(Path file, long bytes) throws IOException {
        Random random = new Random(7);
        long written = 0;
        long slow = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (long line = 0; written < bytes; line++) {
                boolean query = random.nextInt(100) < slowShare;
                byte[] text =
                        (begin(line) + (query ? slowQuery(random) : rest(random))).getBytes(StandardCharsets.UTF_8);
                out.write(text);
                written += text.length;
                slow += query ? 1 : 0;
            }
        }
        return slow;
    }

    private static String begin(long line) {
        long millis = line * 7 % 86_400_000;
        return String.format(
                Locale.ROOT,
                "{\"t\":{\"$date\":\"2026-11-30T%02d:%02d:%02d.%03d+00:00\"},\"s\":\"I\",  ",
                millis / 3_600_000,
                millis / 60_000 % 60,
                millis / 1_000 % 60,
                millis % 1_000);
    }

    private static String rest(Random random) {
        return String.format(Locale.ROOT, REST.get(random.nextInt(REST.size())), random.nextInt(250)) + "\n";
    }

    private static String slowQuery(Random random) {
        String collection = "orders" + random.nextInt(COLLECTIONS);
        String extra = ",\"field" + random.nextInt(8) + "\":{\"$in\":[" + random.nextInt(1_000) + ",\"v"
                + random.nextInt(1_000) + "\"]}";
        int customer = random.nextInt(100_000);
        String command = switch (random.nextInt(4)) {
            case 0 ->
                "{\"find\":\"" + collection + "\",\"filter\":{\"customerId\":" + customer + extra
                        + "},\"sort\":{\"placedAt\":-1},\"limit\":20,\"singleBatch\":false";
            case 1 ->
                "{\"find\":\"" + collection + "\",\"filter\":{\"status\":\"open\",\"placedAt\":{\"$gte\":{\"$date\":"
                        + "\"2026-11-01T00:00:00Z\"}}" + extra + "},\"projection\":{\"_id\":1,\"total\":1}";
            case 2 ->
                "{\"aggregate\":\"" + collection + "\",\"pipeline\":[{\"$match\":{\"customerId\":{\"$gt\":" + customer
                        + "}" + extra
                        + "}},{\"$group\":{\"_id\":\"$status\",\"n\":{\"$sum\":1}}},{\"$sort\":{\"n\":-1}}],\"cursor\":{}";
            default ->
                "{\"count\":\"" + collection + "\",\"query\":{\"_id\":{\"$oid\":\"65f0000000000000000"
                        + (10_000 + customer % 90_000) + "\"}" + extra + "}";
        };
        int found = random.nextInt(500);
        return "\"c\":\"COMMAND\",  \"id\":51803,   \"ctx\":\"conn42\",\"msg\":\"Slow query\",\"attr\":{\"type\":\"command\",\"ns\":\"shop."
                + collection + "\",\"appName\":\"checkout\",\"command\":" + command
                + ",\"lsid\":{\"id\":{\"$uuid\":\"3b241101-e2bb-4255-8caf-4136c566a962\"}},\"$clusterTime\":{\"clusterTime\":"
                + "{\"$timestamp\":{\"t\":1764504000,\"i\":17}},\"signature\":{\"hash\":{\"$binary\":{\"base64\":"
                + "\"AAAAAAAAAAAAAAAAAAAAAAAAAAA=\",\"subType\":\"0\"}},\"keyId\":0}},\"$db\":\"shop\"}"
                + String.format(
                        Locale.ROOT,
                        ",\"nShards\":3,\"cursorExhausted\":true,\"numYields\":0,\"nreturned\":%d,\"queryHash\":\"8545567D\",\"planCacheKey\":"
                                + "\"D8A3B2C1\",\"planSummary\":\"IXSCAN { customerId: 1 }\",\"keysExamined\":%d,\"docsExamined\":%d,"
                                + "\"reslen\":%d,\"locks\":{\"FeatureCompatibilityVersion\":{\"acquireCount\":{\"r\":4}},\"Global\":{\"acquireCount\":"
                                + "{\"r\":4}},\"Mutex\":{\"acquireCount\":{\"r\":2}}},\"storage\":{\"data\":{\"bytesRead\":119834,\"timeReadingMicros\":"
                                + "312}},\"remote\":\"10.1.2.3:50412\",\"protocol\":\"op_msg\",\"durationMillis\":%d}}\n",
                        found,
                        found,
                        found * 3,
                        found * 200,
                        100 + random.nextInt(900));
    }

    /** The keys of its collections, as a file of sharding rules. */
    static String rules() {
        StringBuilder rules = new StringBuilder("shardingRules:\n");
        for (int i = 0; i < COLLECTIONS; i++) {
            rules.append("  - { namespace: shop.orders")
                    .append(i)
                    .append(", key: { customerId: 1, orderId: 1 }, shards: 3 }\n");
        }
        return rules.toString();
    }
}
