package io.scatterguard.tests.support;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A week of two proxies' audit logs, made up, and what it comes to, by counting every finding for itself. */
public final class AuditWeek {
    public static final int SHAPES = 8;

    /** Of this shape there are counts only: nobody knows how many shards it reaches, nor whose it is. */
    public static final int COUNTED_ONLY = SHAPES - 1;

    private static final List<String> APPS = List.of("checkout", "billing", "search");
    private static final List<String> USERS = List.of("alice", "bob", "");
    private static final Instant START = Instant.parse("2026-11-23T00:00:00Z");
    private static final long SECONDS = 7 * 24 * 3600;

    /** A line of a log; {@code count} findings, of which {@code exempted} are exempted, of one record or of a count. */
    public record Line(
            Instant at, int shape, String app, String user, String kind, long count, long exempted, long micros) {
        boolean isCount() {
            return kind.equals("counts");
        }

        public long findings() {
            return count - exempted;
        }

        public long cost() {
            return findings() == 0 ? 0 : micros * shards(shape);
        }

        public LocalDate day() {
            return LocalDate.ofInstant(at, ZoneOffset.UTC);
        }

        public String collection() {
            return "shop.c" + shape % 3;
        }

        public String owner() {
            return shape == COUNTED_ONLY ? "" : "team-" + (shape + APPS.indexOf(app)) % 2;
        }

        public String rule() {
            return isCount() ? "" : kind.equals("exempted") ? "(exempted)" : "rule-" + shape % 2;
        }

        public String userName() {
            return isCount() ? "" : user;
        }

        public long refused() {
            return kind.equals("refuse") ? 1 : 0;
        }

        public long wouldRefuse() {
            return isCount() ? findings() / 2 : kind.equals("would") ? 1 : 0;
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private final Random random;

    /** @param seed which week */
    public AuditWeek(long seed) {
        this.random = new Random(seed);
        for (int shape = 0; shape < COUNTED_ONLY; shape++) {
            for (String app : APPS) {
                lines.add(new Line(START.plusSeconds(shape), shape, app, "alice", "log", 1, 0, 1_000));
            }
        }
        for (int i = 0; i < 2_000; i++) {
            lines.add(line(START.plusSeconds(60 + i * (SECONDS - 120) / 2_000)));
        }
    }

    private Line line(Instant at) {
        int shape = random.nextInt(SHAPES);
        String app = APPS.get(random.nextInt(APPS.size()));
        String user = USERS.get(random.nextInt(USERS.size()));
        List<String> kinds = List.of("log", "would", "refuse", "exempted", "counts");
        String kind = shape == COUNTED_ONLY ? "counts" : kinds.get(random.nextInt(kinds.size()));
        long micros = random.nextInt(50_000);
        return switch (kind) {
            case "counts" -> {
                long count = 1L + random.nextInt(300);
                long exempted = random.nextBoolean() ? 0 : random.nextBoolean() ? count : count / 3;
                yield new Line(at, shape, app, user, kind, count, exempted, micros * count);
            }
            case "exempted" -> new Line(at, shape, app, user, kind, 1, 1, micros);
            case "refuse" -> new Line(at, shape, app, user, kind, 1, 0, 0);
            default -> new Line(at, shape, app, user, kind, 1, 0, micros);
        };
    }

    /** All of them, in the order of their times. */
    public List<Line> lines() {
        return List.copyOf(lines);
    }

    public static int shards(int shape) {
        return shape == COUNTED_ONLY ? 0 : 2 + shape % 3;
    }

    public static String id(int shape) {
        return String.format("%016x", 0xabc0 + shape);
    }

    /** Even shapes are let pass by one exemption, odd ones by two. */
    public static String exemption(Line line) {
        return line.shape % 2 == 0 ? "nightly" : line.app.equals("search") ? "migration" : "reindex";
    }

    /** Sums by what {@code name} says: findings, refused, would refuse, exempted, server time, cost. */
    public static <K> Map<K, List<Long>> sums(List<Line> lines, Function<Line, @Nullable K> name) {
        Map<K, List<Long>> sums = new TreeMap<>();
        for (Line line : lines) {
            K key = name.apply(line);
            if (key != null) {
                List<Long> more = List.of(
                        line.findings(),
                        line.refused(),
                        line.wouldRefuse(),
                        line.exempted(),
                        line.findings() == 0 ? 0 : line.micros(),
                        line.cost());
                sums.merge(key, more, AuditWeek::plus);
            }
        }
        return sums;
    }

    private static List<Long> plus(List<Long> a, List<Long> b) {
        List<Long> sum = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            sum.add(a.get(i) + b.get(i));
        }
        return sum;
    }

    /** The line as a proxy writes it. */
    public static String json(Line line, String instance, long seq) {
        String head = "{\"seq\":" + seq + ",\"ts\":\"" + line.at + "\",\"cluster\":\"test\",\"instance\":\"" + instance
                + "\",\"client\":{\"app\":\"" + line.app + "\"}";
        String what = ",\"db\":\"shop\",\"coll\":\"c" + line.shape % 3 + "\",\"command\":\"find\",\"shape\":{\"text\":"
                + "\"find {filter: {f" + line.shape + ": ?number}}\",\"hash\":\"" + id(line.shape) + "\"}";
        if (line.isCount()) {
            return head + what + ",\"counts\":{\"from\":\"" + line.at.minusSeconds(60) + "\",\"findings\":" + line.count
                    + ",\"wouldRefuse\":" + line.wouldRefuse() + ",\"exempted\":" + line.exempted + ",\"serverMicros\":"
                    + line.micros + "}}";
        }
        boolean exempted = line.kind.equals("exempted");
        String user = line.user.isEmpty() ? "" : ",\"user\":\"" + line.user + "\"";
        String verdict = exempted
                ? "\"action\":\"allow\",\"exemption\":\"" + exemption(line) + "\",\"reason\":\"exempted\""
                : "\"action\":\"" + (line.refused() > 0 ? "refuse" : "log") + "\",\"rule\":\"" + line.rule()
                        + "\",\"reason\":\"rule\"" + (line.kind.equals("would") ? ",\"wouldRefuse\":true" : "");
        return head + user + ",\"owner\":\"" + line.owner() + "\"" + what + ",\"route\":{\"shape\":\"scatterGather\","
                + "\"certainty\":\"exact\",\"shardCount\":" + shards(line.shape) + ",\"shardTotal\":4},\"verdict\":{"
                + verdict + "},\"micros\":{\"proxy\":9,\"server\":" + line.micros + "}}";
    }

    /** A gap of {@code count} records from {@code seq} on. */
    public static String gap(String instance, long seq, long count, Instant at) {
        return "{\"gap\":{\"from\":" + seq + ",\"to\":" + (seq + count - 1) + ",\"count\":" + count + "},\"ts\":\"" + at
                + "\",\"cluster\":\"test\",\"instance\":\"" + instance + "\"}";
    }
}
