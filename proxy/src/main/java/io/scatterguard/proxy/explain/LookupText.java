package io.scatterguard.proxy.explain;

import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.KeyLookup;
import io.scatterguard.proxy.routing.KeyLookup.Field;
import io.scatterguard.proxy.routing.KeyLookup.Narrowing;
import io.scatterguard.proxy.routing.KeyLookup.Outcome;
import io.scatterguard.proxy.routing.KeyLookup.ValueInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One look at the shard key as rows: the bounds of each field, the ranges over the whole key, the chunks. */
final class LookupText {
    private static final String NOT_KNOWN =
            "not known: a value of the whole key counts as on one shard, a range as on all";
    private static final String NOT_READ = "not known: of the collection only the key was read";

    private final KeyLookup lookup;

    private LookupText(KeyLookup lookup) {
        this.lookup = lookup;
    }

    static void write(KeyLookup lookup, Rows rows) {
        LookupText text = new LookupText(lookup);
        rows.row(lookup.outcome() == Outcome.DOCUMENT ? "document" : "bounds", text.bounds());
        if (lookup.outcome() == Outcome.RANGES) {
            rows.row("ranges", text.ranges());
        }
        if (lookup.chunkTotal() > 0) {
            rows.row("chunks", text.chunks());
        } else {
            rows.row("chunks", lookup.shards().isEmpty() ? NOT_READ : NOT_KNOWN);
        }
    }

    private List<String> bounds() {
        int width = lookup.fields().stream()
                .mapToInt(field -> field.path().length())
                .max()
                .orElse(0);
        boolean usable = true;
        List<String> lines = new ArrayList<>();
        for (Field field : lookup.fields()) {
            String aside = field.narrowing() == Narrowing.NONE ? "" : aside(usable);
            String path = String.format("%-" + width + "s  ", field.path());
            if (isListOfHashes(field)) {
                lines.add(path + "one of" + aside);
                hashes(field).forEach(hash -> lines.add(" ".repeat(path.length()) + hash));
            } else {
                lines.add(path + bounds(field) + aside);
            }
            usable &= isOneValue(field);
        }
        return lines;
    }

    private static boolean isListOfHashes(Field field) {
        return field.hashed() && field.narrowing() == Narrowing.EQUALITY && field.intervalCount() > 1;
    }

    /** One a line: the values may be in any order, their hashes ascend. */
    private static List<String> hashes(Field field) {
        List<String> lines = new ArrayList<>();
        field.intervals().forEach(interval -> lines.add(interval(field, interval)));
        more(field.intervalCount() - field.intervals().size(), lines);
        return lines;
    }

    private String aside(boolean usable) {
        return switch (lookup.outcome()) {
            case EVERYTHING -> "   (of no use here)";
            case RANGES -> usable ? "" : "   (at the ends of the ranges only)";
            case POINT, DOCUMENT, CONTRADICTION -> "";
        };
    }

    /** After a field that is not a single value, the next ones count only at the ends of each range (§6.6). */
    private static boolean isOneValue(Field field) {
        return field.narrowing() == Narrowing.EQUALITY && field.intervalCount() == 1;
    }

    private static String bounds(Field field) {
        if (field.intervalCount() == 0) {
            return "nothing: the predicates contradict each other";
        }
        String intervals = field.intervals().stream()
                .map(interval -> interval(field, interval))
                .collect(Collectors.joining(field.narrowing() == Narrowing.EQUALITY ? ", " : " or "));
        int more = field.intervalCount() - field.intervals().size();
        String rest = more == 0 ? "" : " and " + more + " more";
        return switch (field.narrowing()) {
            case EQUALITY -> (field.intervalCount() == 1 ? "= " : "one of ") + intervals + rest;
            case RANGE -> "in " + intervals + rest;
            case NONE -> "any" + (field.intervalCount() == 1 ? "" : ", in effect: " + intervals + rest);
        };
    }

    private static String interval(Field field, ValueInterval interval) {
        if (!interval.isPoint()) {
            return (interval.lowIncluded() ? "[" : "(") + ShellText.of(interval.low()) + ", "
                    + ShellText.of(interval.high()) + (interval.highIncluded() ? "]" : ")");
        }
        String value = ShellText.of(interval.low());
        if (interval.hashOf() != null) {
            return "hash(" + ShellText.of(interval.hashOf()) + ") -> " + value;
        }
        String point = field.hashed() ? "hash " + value : value;
        return field.narrowing() == Narrowing.EQUALITY ? point : "[" + point + ", " + point + "]";
    }

    private List<String> ranges() {
        List<String> lines = new ArrayList<>();
        lines.add(lookup.rangeCount() + " over " + key());
        for (KeyLookup.Range range : lookup.ranges()) {
            String low = ShellText.tuple(range.low());
            lines.add(range.isPoint() ? low : low + " to " + ShellText.tuple(range.high()));
        }
        more(lookup.rangeCount() - lookup.ranges().size(), lines);
        return lines;
    }

    private List<String> chunks() {
        List<String> lines = new ArrayList<>();
        String counts = lookup.chunksByShard().entrySet().stream()
                .limit(10)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        int shards = lookup.chunksByShard().size();
        String detail = shards < 2 ? "" : ": " + counts + (shards > 10 ? ", ..." : "");
        lines.add(lookup.chunkCount() + " of " + lookup.chunkTotal() + detail);
        if (lookup.outcome() == Outcome.EVERYTHING) {
            return lines; // Every chunk: a list of them would say nothing more.
        }
        int width = lookup.chunks().stream()
                .mapToInt(chunk -> chunk.shard().length())
                .max()
                .orElse(0);
        for (KeyLookup.Chunk chunk : lookup.chunks()) {
            lines.add(String.format(
                    "%-" + width + "s  %s up to %s",
                    chunk.shard(),
                    ShellText.tuple(chunk.min()),
                    ShellText.tuple(chunk.max())));
        }
        more(lookup.chunkCount() - lookup.chunks().size(), lines);
        return lines;
    }

    private static void more(int count, List<String> lines) {
        if (count > 0) {
            lines.add("and " + count + " more");
        }
    }

    /** {@code customerId} or {@code (customerId, orderId)}. */
    private String key() {
        String fields =
                lookup.shardKey().fields().stream().map(ShardKey.Field::path).collect(Collectors.joining(", "));
        return lookup.fields().size() == 1 ? fields : "(" + fields + ")";
    }
}
